"""Teams that get another name, or turn out to be one: decided with a reason, and logged."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader import store
from grader.admission import slots
from grader.marking import Decision
from grader.model import Team
from grader.store import Collision, Connection


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of two teams: the one that is left, and what somebody has to know of it.

    ``full`` are task, phase, runs and quota where the team has more runs than the phase allows;
    ``tasks`` those in whose logs it is said.
    """

    team: Team
    clashes: tuple[Collision, ...]
    full: tuple[tuple[str, str, int, int], ...]
    tasks: tuple[str, ...]


def rename(db: Connection, old: str, new: str, decision: Decision) -> tuple[Team, tuple[str, ...]]:
    """Give a team another name; what it was called stays an alias, and addresses stay.

    returns  the team, and the tasks in whose logs it is said: those that it has to do with
    raises   Mistake, for a name that is another team's
    """
    tasks = store.touched(db, old)
    before, after = store.rename_team(db, old, new, decision.at)
    for task, sent in tasks.items():
        said = store.renamed(before.name, after.name, sent=sent)
        store.log(db, task, said, decision.why, decision.at)
    return after, tuple(tasks)


def merge(db: Connection, gone: str, into: str, decision: Decision) -> Merged:
    """Make two teams one: what the first sent is the second's, as are all its names.

    Quotas count together from now on; a phase whose quota is exceeded takes no more of the team.

    raises  Mistake, for an unknown team, or the same one twice
    """
    tasks = store.touched(db, gone)
    before = store.team(db, gone)
    team, clashes = store.merge_teams(db, gone, into, decision.at)
    for task, sent in tasks.items():
        said = store.merged(before.name, team.name, sent=sent)
        store.log(db, task, said, decision.why, decision.at)
    for clash in clashes:
        what = f"flag: {clash.run} no longer primary"
        if clash.name:
            what = f"rename: {clash.run} to {clash.name!r}"
        said = f"run {what} beside {clash.other}"
        store.log(db, clash.task, said, decision.why, decision.at)
    full = tuple(_full(db, team.name, tuple(tasks), decision))
    return Merged(team, clashes, full, tuple(tasks))


def _full(
    db: Connection, name: str, tasks: tuple[str, ...], decision: Decision
) -> Iterator[tuple[str, str, int, int]]:
    """Yield each phase in which a team has more runs in time than are allowed."""
    for slug in tasks:
        past = store.past(db, slug, name)
        for phase in store.registered(db, slug).task.phases:
            used = slots(phase, past, decision.at).used
            if phase.runs is not None and used > phase.runs:
                yield slug, phase.name, used, phase.runs
