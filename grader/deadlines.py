"""Closes that move: what stands in their way, and late runs that are in time from then on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader import store
from grader.admission import entrance, exhausted, extension, slots
from grader.disclosure import unofficial
from grader.model import Disclosure, Entry, Past, Phase, Problem, Task
from grader.store import Connection, Registered
from grader.tasks.phases import checks


@dataclass(frozen=True, slots=True)
class Readmitted:
    """What became of late runs, by their slugs.

    ``timely`` are in time now; ``crowded`` would be, but their team has no slot left.
    """

    timely: tuple[str, ...] = ()
    crowded: tuple[str, ...] = ()


def phases_of(now: Registered, team: str) -> Task:
    """The task with its phases as they are for a team."""
    return store.extended(now.task, now.extensions, team)


def collision(now: Registered) -> str:
    """What the phases of a task cannot mean as they were extended, for all or a team; or empty."""
    teams = dict.fromkeys(one.team for one in now.extensions)
    for team in dict.fromkeys((None, *teams)):
        task = now.task if team is None else phases_of(now, team)
        for _, said in checks(task):
            return said if team is None else f"for {team!r} {said}"
    return ""


def readmit(
    db: Connection, now: Registered, before: Sequence[Entry], why: str, at: datetime
) -> Readmitted:
    """Take the flag off late runs that the door would now take in time, the oldest first.

    One that is in time by an extension for its team alone is marked so.
    """
    slug = now.task.slug
    timely: list[str] = []
    crowded: list[str] = []
    known = store.disclosures(db, slug)
    late = (entry for entry in before if "late" in entry.flags)
    for entry in sorted(late, key=lambda entry: entry.received):
        past = store.past(db, slug, entry.team)
        phase = _phase_now(phases_of(now, entry.team), entry, past, known)
        if phase is None:
            continue
        if exhausted(slots(phase, past, entry.received), entry.received):
            crowded.append(entry.slug)
            continue
        store.unflag(db, slug, [entry.slug], "late")
        own = extension(now.extensions, entry.team, phase.name, entry.received)
        if own is not None:
            store.flag(db, slug, entry.slug, "extended", own.why, at)
        store.log(db, slug, f"run readmit: {entry.slug}", why, at, runs_named=[entry.slug])
        timely.append(entry.slug)
    return Readmitted(tuple(timely), tuple(crowded))


def overtaken(entry: Entry, old: Registered, new: Registered) -> bool:
    """Whether a run that counts lay before its phase's close, and no longer does."""
    before = phases_of(old, entry.team).phase(entry.phase)
    after = phases_of(new, entry.team).phase(entry.phase)
    if before is None or after is None or {"late", "withdrawn"} & set(entry.flags):
        return False
    return after.closes <= entry.received < before.closes


def _phase_now(task: Task, entry: Entry, past: Past, known: Sequence[Disclosure]) -> Phase | None:
    """A run's phase if it would be in time for it; else None."""
    found = entrance(task, entry.received, {entry.sha256}, past)
    if isinstance(found, Problem):
        return None
    found = unofficial(found, known, entry.received)
    if found.late or found.phase is None:
        return None
    return found.phase if found.phase.name == entry.phase else None
