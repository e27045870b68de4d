"""What happens to an upload, whichever door it came by."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from traceback import format_exc

from grader import store
from grader.admission import (
    Entrance,
    entrance,
    exhausted,
    misnamed,
    nearest,
    shut,
    slots,
    too_large,
    too_many_refused,
)
from grader.board import seen
from grader.errors import Mistake, Unavailable
from grader.grade import grade, strangers
from grader.instants import said
from grader.model import (
    Flag,
    Graded,
    Notice,
    Phase,
    Problem,
    Receipt,
    Rejected,
    Slots,
    Team,
    Upload,
)
from grader.parcel import unpacked
from grader.signature import settings
from grader.store import Connection, Engine, Registered

TRIES = 5  # times a gold version may change while one run is graded


@dataclass(frozen=True, slots=True)
class _Door:
    """What a task says to an upload before it is read.

    ``first`` is the run that it is again; else ``problem`` says why it is not taken, if so.
    """

    at: Registered
    team: Team
    entrance: Entrance
    first: str | None
    problem: Problem | None
    slots: Slots | None

    @property
    def phase(self) -> Phase | None:
        return self.entrance.phase


def receive(
    engine: Engine, slug: str, upload: Upload, bad: Problem | None = None
) -> Receipt | Rejected:
    """Grade an upload and keep it, or say everything that is wrong with it.

    Grading ends before the transaction opens; the transaction checks that the task and its
    gold are still those that were graded against, and that the phase still has a slot. If the
    scorer breaks, the run is held. A file's name is asked only of a run that is not there yet.

    bad     why its bytes are not to be read at all

    raises  Mistake, for an unknown task or team or an impossible name
    """
    for _ in range(TRIES):
        with store.reading(engine) as db:
            door = _door(db, slug, upload, bad=bad)
        if door.problem:
            return Rejected((door.problem,), door.slots)
        graded = Rejected((bad,)) if bad else _graded(door, upload)
        with store.unit(engine) as db:
            now = _door(db, slug, upload, bad=bad, lock=True)
            if (now.at.config, now.at.label) != (door.at.config, door.at.label):
                continue
            if now.problem:
                return Rejected((now.problem,), now.slots)
            if now.first is None and not bad and not isinstance(graded, str):
                graded = misnamed(now.at.task, upload.filename, names(now.team), graded)
            if isinstance(graded, Rejected):
                remark = _remark(db, slug, graded, upload)
                store.refuse(db, slug, upload, graded.problems, remark)
                return replace(graded, slots=now.slots)
            return _kept(db, now, upload, graded)
    raise Unavailable(f"the task {slug!r} is being changed; the run was not stored: try again")


def deliver(engine: Engine, slug: str, sent: Upload) -> tuple[tuple[str, Receipt | Rejected], ...]:
    """Receive each run of a file as it came in, plain, packed or in a bundle.

    Stopped in between and sent again, those that are in get their first receipt.

    returns  the file name of each run and the answer to it
    raises   Mistake, as ``receive`` does, and for a bundle that is given the name of one run
    """
    found = unpacked(sent)
    if isinstance(found, Problem):
        return ((sent.filename, receive(engine, slug, sent, found)),)
    if len(found) > 1 and (sent.name or "primary" in sent.flags):
        raise Mistake(
            f"{sent.filename} holds {len(found)} runs, which are named by their files, and of "
            "which one at most is primary",
            mend="leave out --name and --flag primary; afterwards: grader run flag",
        )
    return tuple((upload.filename, receive(engine, slug, upload)) for upload in found)


def names(team: Team) -> tuple[str, ...]:
    """What a file's name may call a team."""
    return tuple(dict.fromkeys((team.name, *team.aliases, team.slug)))


def _door(
    db: Connection, slug: str, upload: Upload, *, bad: Problem | None, lock: bool = False
) -> _Door:
    at = store.registered(db, slug, lock=lock)
    team, past = store.team(db, upload.team), store.past(db, slug, upload.team, upload)
    digests = {sha256(upload.payload).hexdigest(), upload.bundle} - {""}
    found = entrance(at.task, upload.received, digests, past)
    if isinstance(found, Problem):  # what is in already is told at any time
        everywhere = tuple(phase.name for phase in at.task.phases)
        first = store.first(db, slug, upload, everywhere)
        phase = at.task.phase(store.payload(db, slug, first).phase) if first else None
        left = shut(phase or nearest(at.task, upload.received), past, upload.received)
        return _Door(at, team, Entrance(phase), first, None if first else found, left)
    name = found.phase.name if found.phase else upload.phase
    first = store.first(db, slug, upload, (name,))
    if found.phase is None:
        return _Door(at, team, found, first, None, None)
    left = slots(found.phase, past, upload.received, late=found.late)
    problem = None
    if first is None:
        problem = (
            (None if bad else too_large(found.phase, len(upload.payload)))
            or too_many_refused(found.phase, past, upload.received)
            or exhausted(left, upload.received)
        )
    return _Door(at, team, found, first, problem, left)


def _graded(door: _Door, upload: Upload) -> Graded | Rejected | str:
    """The grading; if the scorer broke, the traceback: the run is held, and the bug is told."""
    phase = door.phase.name if door.phase else ""
    try:
        return grade(door.at.task, door.at.gold, upload.payload, phase)
    except Exception:  # noqa: BLE001, the sender's bytes are worth more than our bug
        return format_exc()


def _remark(db: Connection, slug: str, no: Rejected, upload: Upload) -> str:
    """What organisers should know of a refused file: that its ids are another task's."""
    if not any(problem.code == "unknown-id" for problem in no.problems):
        return ""
    now = store.registered(db, slug)
    return store.elsewhere(db, slug, strangers(now.task, now.gold, upload.payload))


def _kept(db: Connection, door: _Door, upload: Upload, found: Graded | str) -> Receipt:
    digest, slug = sha256(upload.payload).hexdigest(), door.at.task.slug
    graded = found if isinstance(found, Graded) else None
    tail = settings(door.at.task, door.at.counted(door.phase.name if door.phase else ""), digest)
    if door.phase:
        late: tuple[Flag, ...] = ("late",) if door.entrance.late else ()
        upload = replace(upload, phase=door.phase.name, flags=(*upload.flags, *late))
    alike = store.alike(db, slug, upload.team, digest, graded.content if graded else "")
    named = store.namesakes(db, slug, upload)
    run, new = store.add_run(db, slug, upload, graded, tail, door.at.gold.version)
    kept = upload if new else store.payload(db, slug, run)
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
        name=kept.name,
        run=run,
        phase=kept.phase,
        received=kept.received,
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
