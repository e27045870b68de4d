"""Which answers are judged next, and by whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil

from grader.errors import Mistake
from grader.judging.resolution import Tally, decision, settled
from grader.judging.units import Replies, distinct, key, shuffled
from grader.model import Gold, Unit
from grader.plural import counted


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is pooled, and for whom.

    The instances go to the ``judges`` in turn, with all their answers; the ``double`` share of
    them to two. Of each team ``depth`` runs of a phase are pooled; ``budget`` units at most.
    ``undecided``: what those who judged it left open, for one more.
    """

    judges: tuple[str, ...]
    double: float = 0.0
    depth: int | None = None
    budget: int | None = None
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """The units of each judge in the order of their files.

    ``units`` are all of them, each once; ``runs`` those whose answers were looked at. ``beyond``
    counts units that were left out by the budget, ``wanting`` those that all of these judges
    have judged, and which need another one.
    """

    parts: Mapping[str, tuple[Unit, ...]]
    units: tuple[Unit, ...] = ()
    runs: tuple[str, ...] = ()
    beyond: int = 0
    wanting: int = 0


def pooled(runs: Sequence[Replies], gold: Gold, tally: Tally, plan: Plan, salt: bytes) -> Pool:
    """The units of runs that need to be judged, for each judge, blind.

    Judges get whole instances, in gold order, and inside one its answers by their keys: nothing
    of the order tells of a run. Two judges of an instance are neighbours in the list of judges.

    runs   accepted ones that are not withdrawn
    tally  what was said of units so far

    raises  Mistake, for a share that needs more judges than there are
    """
    if plan.double and len(plan.judges) < 2:
        raise Mistake("a double-judged share needs two judges", mend="for example: --judges 2")
    deal = _Deal(gold, tally, plan, salt)
    levels = tuple(_levels(runs, plan.depth))
    keys = {unit: key(salt, unit) for level in levels for unit in distinct(level)}
    seen: set[Unit] = set()
    wanted: dict[Unit, tuple[str, ...]] = {}
    for level in levels:
        new = set(distinct(level)) - seen
        seen |= new
        for unit in sorted(new, key=keys.__getitem__):
            if many := deal.needs(unit):
                wanted[unit] = deal.judges(unit)[:many]
    able = [unit for unit, judges in wanted.items() if judges]
    place = {name: i for i, name in enumerate(gold.ids)}
    order = sorted(able[: plan.budget], key=lambda u: (place[u.id], keys[u]))
    parts = {j: tuple(u for u in order if j in wanted[u]) for j in plan.judges}
    looked = tuple(run.run for level in levels for run in level)
    return Pool(parts, tuple(order), looked, len(able) - len(order), len(wanted) - len(able))


class _Deal:
    """Who judges what: decided by the salt, the ids and the list of judges alone."""

    def __init__(self, gold: Gold, tally: Tally, plan: Plan, salt: bytes) -> None:
        self.tally, self.plan = tally, plan
        self.turn = {name: i for i, name in enumerate(shuffled(salt, gold.ids))}
        self.twice = ceil(plan.double * len(gold.ids))
        self.counts = dict(zip(gold.ids, gold.scored.tolist(), strict=True))

    def needs(self, unit: Unit) -> int:
        """How many more judges a unit needs."""
        if not self.counts[unit.id]:
            return 0
        votes = self.tally.votes.get(unit, {})
        if self.plan.undecided:
            return int(bool(votes) and not settled(decision(self.tally.judging, votes)))
        return max(0, (2 if self.turn[unit.id] < self.twice else 1) - len(votes))

    def judges(self, unit: Unit) -> tuple[str, ...]:
        """The judges who have not judged a unit, the one whose turn it is first."""
        judges, first = self.plan.judges, self.turn[unit.id]
        votes = self.tally.votes.get(unit, {})
        turns = (judges[(first + k) % len(judges)] for k in range(len(judges)))
        return tuple(judge for judge in turns if judge not in votes)


def _levels(runs: Sequence[Replies], depth: int | None) -> Iterator[tuple[Replies, ...]]:
    """Yield the first run of each team in each phase, then the second of each, and so on."""
    teams: dict[tuple[str, str], list[Replies]] = {}
    for run in sorted(runs, key=_priority):
        teams.setdefault((run.team, run.sent.phase), []).append(run)
    columns = (mine[:depth] for mine in teams.values())
    for level in zip_longest(*columns):
        yield tuple(run for run in level if run is not None)


def _priority(run: Replies) -> tuple[bool, bool, bool, float]:
    """Primary runs first, then as they came in; late ones after these, baselines last."""
    flags, received = run.sent.flags, run.sent.received.timestamp()
    return "baseline" in flags, "late" in flags, "primary" not in flags, received


def told(pool: Pool) -> Iterator[str]:
    """Yield what an organiser should know of a pool."""
    yield f"{counted(len(pool.units), 'unit')} of {counted(len(pool.runs), 'run')}"
    if pool.beyond:
        yield f"{counted(pool.beyond, 'unit')} beyond the budget"
    if pool.wanting:
        yield f"{counted(pool.wanting, 'unit')} judged by all of these judges: name another one"
