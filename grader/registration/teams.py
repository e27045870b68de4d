"""Teams that get another name, or turn out to be one: decided with a reason, and logged."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader import store
from grader.admission import slots
from grader.marking import Decision
from grader.model import Team
from grader.store import Collision, Connection

_CONSENTS: Mapping[bool | None, str] = {
    True: "lets its runs be archived",
    False: "lets none of its runs be archived",
    None: "does not say whether its runs may be archived",
}


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
    tasks, runs = store.touched(db, old), store.runs_of(db, old)
    before, after = store.rename_team(db, old, new, decision.at)
    for task, sent in tasks.items():
        said = store.renamed(before.name, after.name, sent=sent)
        store.log(db, task, said, decision.why, decision.at, runs_named=runs.get(task, ()))
    return after, tuple(tasks)


def merge(db: Connection, gone: str, into: str, decision: Decision) -> Merged:
    """Make two teams one: what the first sent is the second's, as are all its names.

    Quotas count together from now on; a phase whose quota is exceeded takes no more of the team.

    raises  Mistake, for an unknown team, or the same one twice
    """
    tasks, runs = store.touched(db, gone), store.runs_of(db, gone)
    before, other = store.team(db, gone), store.team(db, into)
    team, clashes = store.merge_teams(db, gone, into, decision.at)
    for task, sent in tasks.items():
        said = store.merged(before.name, team.name, sent=sent)
        store.log(db, task, said, decision.why, decision.at, runs_named=runs.get(task, ()))
    for clash in clashes:
        what = f"flag: {clash.run} no longer primary"
        if clash.name:
            what = f"rename: {clash.run} to {clash.name!r}"
        said = f"run {what} beside {clash.other}"
        both = [clash.run, clash.other]
        store.log(db, clash.task, said, decision.why, decision.at, runs_named=both)
    consents = {one.registration.consent for one in (before, other)}
    consented(db, team, consents, decision)
    full = tuple(_full(db, team.name, tuple(tasks), decision))
    return Merged(team, clashes, full, tuple(tasks))


def consented(
    db: Connection, team: Team, before: Collection[bool | None], decision: Decision
) -> None:
    """Log whether a team's runs may be archived, if another answer stood there before."""
    now = team.registration.consent
    if {now} == {*before}:
        return
    for task in store.touched(db, team.name):
        what = f"team consent: {json.dumps(team.name, ensure_ascii=False)} {_CONSENTS[now]}"
        store.log(db, task, what, decision.why, decision.at)


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
