"""Another file in the place of a run's: the run keeps its address, its instant and its slot."""

from dataclasses import dataclass, replace
from hashlib import sha256

from grader import admission, store
from grader.admission import misnamed, too_large
from grader.disclosure import as_late, disclosed, known
from grader.errors import Mistake, Unavailable
from grader.grade import attempt, overlooking
from grader.marking.decision import Decision
from grader.model import Amendment, Graded, Problem, Rejected, Upload
from grader.parcel import unpacked
from grader.signature import settings
from grader.store import Connection, Engine, Registered
from grader.tasks.filenames import names

TRIES = 5  # times a gold version may change while a file is graded
_ANEW = ("too-large", "bad-name")  # asked of each file; what else doors ask, the run has passed


@dataclass(frozen=True, slots=True)
class Amended:
    """A run whose file is another now, its ``version`` counted from 1, as it was sent.

    ``lifted`` are the codes of problems that were overlooked in the file before, and are not in
    this one. ``graded`` is None if the scorer broke: the run is held, ``trouble`` the traceback.
    """

    run: str
    version: int
    before: str
    sha256: str
    lifted: tuple[str, ...]
    graded: Graded | None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _Ground:
    """The run as it is stored, and what it is graded against."""

    run: str
    at: Registered
    old: Upload
    names: tuple[str, ...]

    @property
    def state(self) -> tuple[object, ...]:
        return self.at.config, self.at.label, self.old


def amend(
    engine: Engine, slug: str, run: str, sent: Upload, decision: Decision
) -> Amended | Rejected:
    """Put a file in the place of a run's, if it is one that a door would take.

    The old file stays as an earlier version. What is overlooked in the run is overlooked in the
    new file too, where it is needed. A file that is refused changes nothing.

    sent    the file, packed or not

    raises  Mistake, for an unknown or withdrawn run, for bytes that it has already or that are
            another run, for a file that holds several, and once labels are known that were not
            when the run came
    """
    found = unpacked(sent)
    if isinstance(found, Problem):
        return Rejected((found,))
    if len(found) > 1:
        raise Mistake(f"{sent.filename} holds {len(found)} runs: give the file of {run} alone")
    for _ in range(TRIES):
        with store.reading(engine) as db:
            ground = _ground(db, slug, run, found[0])
            _fair(db, ground, decision)
        new, graded = _graded(ground, found[0])
        if isinstance(graded, Rejected):
            return graded
        with store.unit(engine) as db:
            if _ground(db, slug, run, found[0], lock=True).state == ground.state:
                _fair(db, ground, decision)
                return _put(db, ground, new, graded, decision)
    raise Unavailable(f"{run} of {slug!r} is being changed; nothing was amended: try again")


def _ground(db: Connection, slug: str, run: str, new: Upload, *, lock: bool = False) -> _Ground:
    """What stands in the database now; Mistake, if the run cannot get these bytes."""
    at = store.registered(db, slug, lock=lock)
    old = store.payload(db, slug, run)
    if "withdrawn" in old.flags:
        mend = f"grader run restore {slug} {run} --why '…'"
        raise Mistake(f"{run} is withdrawn: it is not amended", mend=mend)
    if old.payload == new.payload:
        raise Mistake(f"{run} has these bytes already", mend=f"grader run show {slug} {run}")
    other = store.first(db, slug, replace(old, payload=new.payload), (old.phase,))
    if other not in (None, run):
        said = f"the bytes are {other}, which has the same name in the same phase"
        raise Mistake(f"{run} was not amended: {said}", mend=f"grader run show {slug} {other}")
    return _Ground(run, at, old, names(store.team(db, old.team)))


def _fair(db: Connection, ground: _Ground, decision: Decision) -> None:
    """Mistake if labels are known that were not when the run came."""
    task, old = ground.at.task, ground.old
    one = known(store.disclosures(db, task.slug), task.phase(old.phase), decision.at)
    if one is not None and old.received < one.at:
        raise Mistake(f"{ground.run} was not amended: {disclosed(one)}", mend=as_late(task))


def _graded(ground: _Ground, sent: Upload) -> tuple[Upload, Graded | Rejected | str]:
    """The run as it would be, and its scores, or all that is wrong with the file."""
    task, old = ground.at.task, ground.old
    new = replace(old, payload=sent.payload, filename=sent.filename)
    phase = task.phase(old.phase)
    large = too_large(phase, len(new.payload)) if phase else None
    if large and large.code not in old.waived:
        return new, Rejected((large,))
    found, codes = attempt(task, ground.at.gold, new, old.phase)
    needed = {*codes, *(code for code in admission.WAIVABLE if code not in _ANEW)}
    needed |= {large.code} if large else set()
    if not isinstance(found, str):
        named = misnamed(task, new.filename, ground.names, found)
        if named is not found and "bad-name" in old.waived:
            needed.add("bad-name")
        else:
            found = named
    return replace(new, waived=tuple(code for code in old.waived if code in needed)), found


def _put(
    db: Connection, ground: _Ground, new: Upload, found: Graded | str, decision: Decision
) -> Amended:
    """Keep the new file and its scores, mark the run and log it."""
    slug, run, old = ground.at.task.slug, ground.run, ground.old
    before, digest = (sha256(sent.payload).hexdigest() for sent in (old, new))
    gone = Amendment(before, old.filename, decision.why, decision.at)
    version = store.amend(db, slug, run, new, gone)
    graded = found if isinstance(found, Graded) else None
    if graded is not None:
        task = overlooking(ground.at.task, new.waived)
        tail = settings(task, ground.at.counted(new.phase), digest)
        store.add_grading(db, slug, run, ground.at.gold.version, graded, tail, decision.at)
    store.flag(db, slug, run, "amended", decision.why, decision.at)
    lifted = tuple(code for code in old.waived if code not in new.waived)
    if lifted:
        _lift(db, ground, new, decision)
    said = f", no longer waived: {', '.join(lifted)}" if lifted else ""
    what = f"run amend: {run}{said}"
    store.log(db, slug, what, decision.why, decision.at, runs_named=[run])
    trouble = found if isinstance(found, str) else ""
    return Amended(run, version, before, digest, lifted, graded, trouble)


def _lift(db: Connection, ground: _Ground, new: Upload, decision: Decision) -> None:
    """Say no more of a run that is overlooked in it than is."""
    slug, run = ground.at.task.slug, ground.run
    why = store.flags(db, slug, run).get("waived", "").partition(": ")[2]
    if new.waived:
        store.flag(db, slug, run, "waived", f"{', '.join(new.waived)}: {why}", decision.at)
    else:
        store.unflag(db, slug, [run], "waived")
