"""The door: what an upload meets before it is read."""

from dataclasses import dataclass
from hashlib import sha256

from grader import store
from grader.admission import (
    Entrance,
    entrance,
    exhausted,
    nearest,
    shut,
    slots,
    too_large,
    too_many_refused,
)
from grader.model import Phase, Problem, Slots, Team, Upload
from grader.store import Connection, Registered


@dataclass(frozen=True, slots=True)
class Door:
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


def met(
    db: Connection, slug: str, upload: Upload, *, bad: Problem | None, lock: bool = False
) -> Door:
    """What a task says to an upload now, locked until the transaction ends if asked for."""
    at = store.registered(db, slug, lock=lock)
    team, past = store.team(db, upload.team), store.past(db, slug, upload.team, upload)
    digests = {sha256(upload.payload).hexdigest(), upload.bundle} - {""}
    found = entrance(at.task, upload.received, digests, past)
    if isinstance(found, Problem):  # what is in already is told at any time
        everywhere = tuple(phase.name for phase in at.task.phases)
        first = store.first(db, slug, upload, everywhere)
        phase = at.task.phase(store.payload(db, slug, first).phase) if first else None
        left = shut(phase or nearest(at.task, upload.received), past, upload.received)
        return Door(at, team, Entrance(phase), first, None if first else found, left)
    name = found.phase.name if found.phase else upload.phase
    first = store.first(db, slug, upload, (name,))
    if found.phase is None:
        return Door(at, team, found, first, None, None)
    left = slots(found.phase, past, upload.received, late=found.late)
    problem = None
    if first is None:
        problem = (
            (None if bad else too_large(found.phase, len(upload.payload)))
            or too_many_refused(found.phase, past, upload.received)
            or exhausted(left, upload.received)
        )
    return Door(at, team, found, first, problem, left)
