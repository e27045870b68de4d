"""Whether a board's ranks hang on the instances that were dropped."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.board import shown
from grader.family import Views, bound, by_id
from grader.measures import find
from grader.model import BoolArray, Gold, Judged, Measure, Reinstated, Split, Task, Undefined

MOST = 50  # dropped instances that are put back one by one


@dataclass(frozen=True, slots=True)
class _Keys:
    """What a run is ranked by, the less the better: as it is, and if it were right or wrong."""

    real: float
    right: float
    wrong: float

    @property
    def best(self) -> float:
        return min(self.right, self.wrong)

    @property
    def worst(self) -> float:
        return max(self.right, self.wrong)


def sensitivity(
    task: Task, gold: Gold, views: Views, ranked: Sequence[str], part: Split = "all"
) -> tuple[Reinstated, ...]:
    """Of each dropped instance: what the ranks of the ranked runs would be if it counted.

    A run that did not answer it stays as it is. The ranks that might be, whoever is right, are
    there where a measure asks no more than that, and hang on nothing that is secret: neither on
    the gold of the instance, nor on who has it right.

    views    what counts in them are also the dropped instances that a run answered
    ranked   the runs of the whole board that have a rank
    part     of the gold that counts for them
    returns  one for each dropped instance of that part, in gold order; none if more than MOST
    """
    outside = (i for i, s in enumerate(gold.standings) if s.status == "dropped")
    places = [i for i in outside if part == "all" or gold.splits[i] == part]
    if len(places) > MOST or not ranked:
        return ()
    runs = {run: views[run] for run in ranked}
    return tuple(_one(task, gold, runs, i) for i in places)


def _one(task: Task, gold: Gold, views: Views, at: int) -> Reinstated:
    measure = find(task.primary)
    keys: dict[str, _Keys] = {}
    for run, (judged, answered) in views.items():
        counted = answered & gold.scored
        counted[at] = answered[at]
        each = (value(measure, gold, j, counted) for j in _outcomes(judged, at))
        keys[run] = _Keys(*(place(one, measure, task.ranking.digits) for one in each))
    waits = any(j.waiting.size and j.waiting[at] for j, _ in views.values())
    told = measure.needs in ("confidence", "order")
    return Reinstated(
        gold.ids[at],
        {} if waits else {run: _rank(keys, run) for run in keys},
        {run: _range(keys, run) for run in keys} if told else {},
    )


def _outcomes(judged: Judged, place: int) -> tuple[Judged, Judged, Judged]:
    """The run as it is, and with its answer to an instance right, and wrong."""
    right, wrong = judged.correct.copy(), judged.correct.copy()
    right[place], wrong[place] = True, False
    return judged, replace(judged, correct=right), replace(judged, correct=wrong)


def value(measure: Measure, gold: Gold, judged: Judged, counted: BoolArray) -> float | None:
    """A run's value on the instances that are counted; None where undefined."""
    at = by_id(counted, gold)
    try:
        return bound(measure, gold, at)(judged.part(at)).value
    except Undefined:
        return None


def place(found: float | None, measure: Measure, digits: int) -> float:
    """Less is better, equal at the shown decimals is equal; what is undefined comes last."""
    if found is None:
        return math.inf
    return (1 if measure.better == "lower" else -1) * float(shown(found, digits))


def _rank(keys: Mapping[str, _Keys], run: str) -> int | None:
    mine = keys[run].real
    return None if math.isinf(mine) else 1 + sum(other.real < mine for other in keys.values())


def _range(keys: Mapping[str, _Keys], run: str) -> tuple[int, int]:
    """The best and the worst rank of a run, whoever is right."""
    mine, others = keys[run], [other for name, other in keys.items() if name != run]
    surely = sum(other.worst < mine.best for other in others)
    perhaps = sum(other.best < mine.worst for other in others)
    return 1 + surely, 1 + perhaps
