"""An upload read, graded and kept, or refused."""

from dataclasses import replace

from grader import store
from grader.admission import misnamed
from grader.errors import Mistake, Unavailable
from grader.grade import attempt, strangers
from grader.intake.door import Door, met
from grader.intake.keeping import kept
from grader.intake.waiving import lawful
from grader.model import Graded, Problem, Receipt, Rejected, Upload
from grader.parcel import unpacked
from grader.store import Connection, Engine
from grader.tasks.filenames import names

TRIES = 5  # times a gold version may change while one run is graded


def receive(
    engine: Engine, slug: str, upload: Upload, bad: Problem | None = None
) -> Receipt | Rejected:
    """Grade an upload and keep it, or say everything that is wrong with it.

    Grading ends before the transaction opens; the transaction checks that the task and its
    gold are still those that were graded against, and that the phase still has a slot. If the
    scorer breaks, the run is held. A file's name is asked only of a run that is not there yet.

    bad     why its bytes are not to be read at all

    raises  Mistake, for an unknown task or team, an impossible name, or what cannot be waived
    """
    if upload.waived:
        with store.reading(engine) as db:
            lawful(store.registered(db, slug).task, upload)
    for _ in range(TRIES):
        with store.reading(engine) as db:
            door = met(db, slug, upload, bad=bad)
        if door.problem:
            return Rejected((door.problem,), door.slots)
        graded, waived = (Rejected((bad,)), ()) if bad else _graded(door, upload)
        with store.unit(engine) as db:
            now = met(db, slug, upload, bad=bad, lock=True)
            if now.grounds != door.grounds:
                continue
            if now.problem:
                return Rejected((now.problem,), now.slots)
            if now.first is None and not bad and not isinstance(graded, str):
                graded, named = _named(now, upload, graded)
                waived = (*waived, *named)
            if isinstance(graded, Rejected):
                remark = _remark(db, slug, graded, upload)
                store.refuse(db, slug, upload, graded.problems, remark)
                return replace(graded, slots=now.slots)
            return kept(db, now, replace(upload, waived=waived), graded)
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


def _graded(door: Door, upload: Upload) -> tuple[Graded | Rejected | str, tuple[str, ...]]:
    """The grading, and the codes of all that is overlooked in the run.

    Of a run that is there already it is that of its bytes, which may have been amended.
    """
    phase = door.phase.name if door.phase else ""
    sent = door.kept or upload
    found, codes = attempt(door.at.task, door.at.gold, sent, phase)
    return found, door.kept.waived if door.kept else (*door.waived, *codes)


def _named(
    door: Door, upload: Upload, found: Graded | Rejected
) -> tuple[Graded | Rejected, tuple[str, ...]]:
    """What was found of a file and of its name; with the code if its name is overlooked."""
    other = misnamed(door.at.task, upload.filename, names(door.team), found)
    if other is found or "bad-name" not in upload.waived:
        return other, ()
    return found, ("bad-name",)


def _remark(db: Connection, slug: str, no: Rejected, upload: Upload) -> str:
    """What organisers should know of a refused file: that its ids are another task's."""
    if not any(problem.code == "unknown-id" for problem in no.problems):
        return ""
    now = store.registered(db, slug)
    return store.elsewhere(db, slug, strangers(now.task, now.gold, upload.payload))
