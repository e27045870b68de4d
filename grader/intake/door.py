"""The door: what an upload meets before it is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from grader import store
from grader.admission import (
    Entrance,
    endless,
    entrance,
    exhausted,
    nearest,
    shut,
    slots,
    too_large,
    too_many_refused,
)
from grader.disclosure import unofficial
from grader.intake.waiving import fair, placed
from grader.model import Past, Phase, Problem, Slots, Team, Upload
from grader.store import Connection, Registered


@dataclass(frozen=True, slots=True)
class Door:
    """What a task says to an upload before it is read.

    ``first`` is the run that it is again, and ``kept`` what is stored of it; else ``problem``
    says why it is not taken, if so. ``waived`` are the codes that are overlooked at the door.
    """

    at: Registered
    team: Team
    entrance: Entrance
    first: str | None
    kept: Upload | None
    problem: Problem | None
    slots: Slots | None
    waived: tuple[str, ...] = ()

    @property
    def phase(self) -> Phase | None:
        return self.entrance.phase

    @property
    def grounds(self) -> tuple[object, ...]:
        """All that a grading depends on, beside the bytes of a run that is not there yet."""
        return self.at.config, self.at.label, self.entrance, self.first, self.kept


def met(
    db: Connection, slug: str, upload: Upload, *, bad: Problem | None, lock: bool = False
) -> Door:
    """What a task says to an upload now, locked until the transaction ends if asked for."""
    at = store.registered(db, slug, lock=lock, team=upload.team)
    team, past = store.team(db, upload.team), store.past(db, slug, upload.team, upload)
    digests = {sha256(upload.payload).hexdigest(), upload.bundle} - {""}
    found = placed(at.task, upload, entrance(at.task, upload.received, digests, past))
    if isinstance(found, Problem):  # what is in already is told at any time
        everywhere = tuple(phase.name for phase in at.task.phases)
        first, kept = _again(db, slug, upload, everywhere)
        phase = at.task.phase(kept.phase) if kept else None
        left = shut(phase or nearest(at.task, upload.received), past, upload.received)
        return Door(at, team, Entrance(phase), first, kept, None if first else found, left)
    name = found.phase.name if found.phase else upload.phase
    first, kept = _again(db, slug, upload, (name,))
    known = store.disclosures(db, slug)
    if found.waived and first is None:
        fair(at.task, known, found, upload)
    found = unofficial(found, known, upload.received)
    if found.phase is None:
        return Door(at, team, found, first, kept, None, None)
    left = slots(found.phase, past, upload.received, late=found.late)
    asked = endless(found.phase) if found.waived else found.phase
    against = [] if first else _against(asked, past, upload, bad, late=found.late)
    problem = next((p for p in against if p.code not in upload.waived), None)
    waived = (found.waived, *(p.code for p in against)) if first is None else ()
    return Door(at, team, found, first, kept, problem, left, tuple(filter(None, waived)))


def _again(
    db: Connection, slug: str, upload: Upload, phases: Sequence[str]
) -> tuple[str | None, Upload | None]:
    """The run that an upload is again, and what is stored of it."""
    first = store.first(db, slug, upload, phases)
    return first, store.payload(db, slug, first) if first else None


def _against(
    phase: Phase, past: Past, upload: Upload, bad: Problem | None, *, late: bool
) -> list[Problem]:
    """What a phase that is open has against an upload, most of all first."""
    at = upload.received
    each = (
        None if bad else too_large(phase, len(upload.payload)),
        too_many_refused(phase, past, at),
        exhausted(slots(phase, past, at, late=late), at),
    )
    return [problem for problem in each if problem]
