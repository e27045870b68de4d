"""A run kept, and its receipt: all that its sender is told."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from grader import store
from grader.admission import Entrance, slots
from grader.board import seen
from grader.instants import said
from grader.intake.door import Door
from grader.model import Flag, Graded, Notice, Phase, Receipt, Upload
from grader.signature import settings
from grader.store import Connection


def kept(db: Connection, door: Door, upload: Upload, found: Graded | str) -> Receipt:
    """Keep a run, held if the scorer broke (then ``found`` is the traceback), and receipt it."""
    digest, slug = sha256(upload.payload).hexdigest(), door.at.task.slug
    graded = found if isinstance(found, Graded) else None
    tail = settings(door.at.task, door.at.counted(door.phase.name if door.phase else ""), digest)
    if door.phase:
        late: tuple[Flag, ...] = ("late",) if door.entrance.late else ()
        upload = replace(upload, phase=door.phase.name, flags=(*upload.flags, *late))
    alike = store.alike(db, slug, upload.team, digest, graded.content if graded else "")
    named = store.namesakes(db, slug, upload)
    run, new = store.add_run(db, slug, upload, graded, tail, door.at.gold.version)
    mine = upload if new else store.payload(db, slug, run)
    held = graded is None if new else store.is_held(db, slug, run)
    notices = list(
        _same(alike, named) if new else _before(store.flags(db, slug, run), upload, door.phase)
    )
    if new and door.phase:
        notices += _entered(door.phase, door.entrance)
    shown = graded and seen(graded, door.phase, "own", upload.received)
    left = door.slots
    if new and door.phase:
        past = store.past(db, slug, upload.team)
        left = slots(door.phase, past, upload.received, late=door.entrance.late)
    return Receipt(
        task=slug,
        team=door.team.name,
        name=mine.name,
        run=run,
        phase=mine.phase,
        received=mine.received,
        sha256=digest,
        graded=None if held else shown,
        settings=tail,
        digits=(door.phase and door.phase.digits) or door.at.task.ranking.digits,
        notices=(*(graded.notices if graded else ()), *notices),
        repeated=not new,
        held=held,
        hidden=_hidden(door.phase) if graded and door.phase and shown is None else "",
        slots=left,
        trouble="" if isinstance(found, Graded) else found,
    )


def _hidden(phase: Phase) -> str:
    """Why the sender sees no scores."""
    when = f"until {said(phase.reveal)}" if phase.reveal else "until the organisers show them"
    return f"scores of phase {phase.name!r} are hidden {when}"


def _entered(phase: Phase, found: Entrance) -> Iterator[Notice]:
    """Yield what its sender should know of how a run came into its phase."""
    closed = f"phase {phase.name!r} closed at {said(phase.closes)}"
    if found.late:
        yield Notice("late", f"{closed}: the run is unofficial and not ranked")
    if found.committed:
        yield Notice("committed", f"{closed}; these bytes were promised before: it is in time")


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
    if "late" in flags and phase:
        yield from _entered(phase, Entrance(phase, late=True))
    if "withdrawn" in flags:
        why = flags["withdrawn"]
        yield Notice("withdrawn", f"it is withdrawn ({why}): enter it under another --name")
    if set(upload.flags) - {"late"} - set(flags):
        yield Notice("flags", "its flags stay as it was first sent: use another --name")
