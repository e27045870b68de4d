"""What is kept of a team that asks to be forgotten: its runs, and nothing of who it was."""

from dataclasses import dataclass

from grader import store
from grader.marking import Decision
from grader.model import Team
from grader.registration.mentions import Mentions, names
from grader.store import Connection, Place


@dataclass(frozen=True, slots=True)
class Erased:
    """What became of a team.

    ``moved`` are task, old and new address of each run whose address said its name; ``reworded``
    counts by table what people had written of it; ``left`` are the places where its names still
    stand, found by looking; ``tasks`` those in whose logs it is said.
    """

    team: str
    moved: tuple[tuple[str, str, str], ...]
    reworded: dict[str, int]
    left: tuple[Place, ...]
    tasks: tuple[str, ...]


def erase(db: Connection, name: str, decision: Decision) -> Erased:
    """Take all of a person from a team and its runs, and its names out of what others wrote.

    Runs, scores, ranks, numbers and instants stay, and addresses that say no name. Uploaded bytes
    and the files of tasks and campaigns are looked through and not changed.

    raises  Mistake, for an unknown team, or one that was erased before
    """
    store.alone_with_all(db)
    tasks = tuple(store.touched(db, name))
    team = store.team(db, name)
    others = [other for other in store.teams(db) if other.slug != team.slug]
    new, slugs = store.addresses(db, name)
    said = _mentions(team, others, slugs, new)
    moved = store.erase_team(db, name, new, slugs, decision.at)
    reworded = store.reword(db, said.reworded)
    runs = store.runs_of(db, new)
    for task in tasks:
        what, why = f"team erase: {new}", said.reworded(decision.why)
        store.log(db, task, what, why, decision.at, runs_named=runs.get(task, ()))
    return Erased(new, moved, reworded, store.look(db, said.found), tasks)


def _mentions(team: Team, others: list[Team], slugs: dict[str, str], new: str) -> Mentions:
    said = Mentions(names(team, others), slugs, new)
    known = (known for other in others for known in (other.name, *other.aliases))
    longer = tuple(name for name in known if said.found(name))
    return Mentions(said.names, slugs, new, longer)
