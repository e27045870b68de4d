"""A run kept, and its receipt: all that its sender is told."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from grader import store
from grader.admission import extension, slots
from grader.board import in_use, limits_in, seen
from grader.disclosure import disclosed
from grader.grade import overlooking
from grader.instants import said
from grader.intake.door import Door
from grader.model import (
    Extension,
    Flag,
    Graded,
    Notice,
    Phase,
    Pseudonym,
    Receipt,
    Upload,
)
from grader.signature import settings
from grader.store import Connection


def kept(db: Connection, door: Door, upload: Upload, found: Graded | str) -> Receipt:
    """Keep a run, held if the scorer broke (then ``found`` is the traceback), and receipt it.

    A run that is there already stays as it is, and gets its first receipt.
    """
    slug = door.at.task.slug
    graded = found if isinstance(found, Graded) else None
    if door.first is not None and door.kept is not None:
        more = _before(store.flags(db, slug, door.first), upload, door.phase)
        receipt = _receipt(door, door.first, door.kept, found, upload.received)
        held = store.is_held(db, slug, door.first)
        return replace(
            receipt,
            graded=None if held else receipt.graded,
            notices=(*receipt.notices, *more),
            repeated=True,
            held=held,
            known_as=_known_as(db, door, door.first, upload.received),
        )
    late: tuple[Flag, ...] = ("late",) if door.entrance.late else ()
    phase = door.phase.name if door.phase else upload.phase
    upload = replace(upload, phase=phase, flags=(*upload.flags, *late))
    digest = sha256(upload.payload).hexdigest()
    alike = store.alike(db, slug, upload.team, digest, graded.content if graded else "")
    named = store.namesakes(db, slug, upload)
    tail = _tail(door, upload)
    run, _ = store.add_run(db, slug, upload, graded, tail, door.at.gold.version)
    _mark(db, door, run, upload)
    receipt = _receipt(door, run, upload, found, upload.received)
    notices = (*receipt.notices, *_same(alike, named), *_entered(door, upload))
    if door.phase is None:
        return replace(receipt, notices=notices)
    past = store.past(db, slug, upload.team)
    left = slots(door.phase, past, upload.received, late=door.entrance.late)
    known = _known_as(db, door, run, upload.received)
    return replace(receipt, notices=notices, slots=left, known_as=known)


def _known_as(db: Connection, door: Door, run: str, at: datetime) -> Pseudonym | None:
    """What others see a run as, while they are not to know whose it is."""
    veiled = door.phase is not None and door.phase.veiled(at)
    return store.pseudonym(db, door.at.task.slug, run) if veiled else None


def _mark(db: Connection, door: Door, run: str, upload: Upload) -> None:
    """Mark a new run by what organisers decided for it, and log what is overlooked."""
    slug, at = door.at.task.slug, upload.received
    if (one := door.entrance.known) is not None:
        store.flag(db, slug, run, "late", disclosed(one), at)
    if (own := _own(door, upload)) is not None:
        store.flag(db, slug, run, "extended", own.why, at)
    if upload.waived:
        codes = ", ".join(upload.waived)
        store.flag(db, slug, run, "waived", f"{codes}: {upload.why}", at)
        store.log(db, slug, f"run waive: {run}, {codes}", upload.why, at, runs_named=[run])


def _own(door: Door, upload: Upload) -> Extension | None:
    """The extension for its team alone by which a run is in time."""
    if door.phase is None or door.entrance.late or door.entrance.committed:
        return None
    return extension(door.at.extensions, door.team.name, door.phase.name, upload.received)


def _tail(door: Door, upload: Upload) -> str:
    """What ends the signature of each of a run's scores."""
    task = overlooking(door.at.task, upload.waived)
    digest = sha256(upload.payload).hexdigest()
    return settings(task, door.at.counted(door.phase.name if door.phase else ""), digest)


def _receipt(door: Door, run: str, mine: Upload, found: Graded | str, at: datetime) -> Receipt:
    """The receipt of a run that is kept as ``mine``, as it is at an instant."""
    graded = found if isinstance(found, Graded) else None
    watched = door.phase is not None and in_use(door.at.task, door.at.extensions, door.phase, at)
    digits = (door.phase and door.phase.digits) or door.at.task.ranking.digits
    limits = limits_in(door.at.task, door.phase, watched=watched)
    shown = graded and seen(graded, door.phase, "own", at, limits)
    hidden = _hidden(door.phase, shown) if graded else ""
    return Receipt(
        task=door.at.task.slug,
        team=door.team.name,
        name=mine.name,
        run=run,
        phase=mine.phase,
        received=mine.received,
        sha256=sha256(mine.payload).hexdigest(),
        graded=None if hidden else shown,
        settings=_tail(door, mine),
        digits=digits,
        notices=graded.notices if graded else (),
        held=graded is None,
        hidden=hidden,
        slots=door.slots,
        trouble="" if isinstance(found, Graded) else found,
    )


def _hidden(phase: Phase | None, shown: Graded | None) -> str:
    """Why the sender is told no scores, of which these might be shown; empty if it is.

    Bounds at once would tell, run by run, which answers of others were judged, and how.
    """
    if shown is not None:
        waits = "its answers are to be judged: until then the board has its bounds"
        return waits if shown.waits else ""
    if phase is None:
        return ""
    when = f"until {said(phase.reveal)}" if phase.reveal else "until the organisers show them"
    return f"scores of phase {phase.name!r} are hidden {when}"


def _entered(door: Door, upload: Upload) -> Iterator[Notice]:
    """Yield what its sender should know of how a new run came in."""
    phase, found = door.phase, door.entrance
    if found.late:
        yield _late(phase, disclosed(found.known) if found.known else "")
    if phase is not None and found.committed:
        promised = "these bytes were promised before: it is in time"
        yield Notice(
            "committed", f"phase {phase.name!r} closed at {said(phase.closes)}; {promised}"
        )
    if (own := _own(door, upload)) is not None:
        until = f"is open to your team until {said(own.closes)}: it is in time"
        yield Notice("extended", f"phase {own.phase!r} closed at {said(own.before)}, and {until}")
    if upload.waived:
        codes = ", ".join(upload.waived)
        yield Notice("waived", f"organisers overlook {codes}: {upload.why}")


def _late(phase: Phase | None, why: str) -> Notice:
    closed = f"phase {phase.name!r} closed at {said(phase.closes)}" if phase else ""
    return Notice("late", f"{why or closed}: the run is unofficial and not ranked")


def _same(alike: tuple[tuple[str, bool], ...], named: tuple[str, ...]) -> Iterator[Notice]:
    """Yield which of the team's runs a new one equals, and which it is called as."""
    if named:
        yield Notice("same-name", f"{', '.join(named)} of that name is there too: both count")
    for name, bytes_too in alike:
        what = "the same bytes as" if bytes_too else "the same content, in other lines, as"
        code = "same-bytes" if bytes_too else "same-content"
        yield Notice(code, f"{what} your run {name!r}")


def _before(flags: Mapping[Flag, str], upload: Upload, phase: Phase | None) -> Iterator[Notice]:
    """Yield what the sender of a run that is there already should know about it."""
    if "late" in flags:
        yield _late(phase, flags["late"])
    for flag in ("extended", "waived", "amended"):
        if flag in flags:
            yield Notice(flag, f"organisers marked it {flag} ({flags[flag]})")
    if "withdrawn" in flags:
        why = flags["withdrawn"]
        yield Notice("withdrawn", f"it is withdrawn ({why}): enter it under another --name")
    if set(upload.flags) - {"late"} - set(flags):
        yield Notice("flags", "its flags stay as it was first sent: use another --name")
