"""How many labels the numbers could tell that a phase shows while it takes runs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, timedelta

from grader.board.limits import GUARDED, Counts, withheld
from grader.board.values import lead
from grader.measures import find
from grader.model import Measure, Phase, Results

MOST = 0.01  # of the bits of all labels: more is warned of
_RIGHT = 1  # right answers of a run that is made to ask: who sends it decides how many there are
_BLIND = ("confidence", "width")  # measures that no label changes


@dataclass(frozen=True, slots=True)
class Reveal:
    """A bound on the ``bits`` that a team's ``runs`` could tell of ``labels`` bits of labels.

    ``numbers`` are shown of each run, scores and ends of intervals. None: without a limit. What
    is not known, for the reason ``why``, has no bits either.
    """

    runs: int | None
    numbers: int
    bits: float | None
    labels: float
    why: str = ""

    @property
    def share(self) -> float | None:
        """Of the labels' bits, at most all."""
        if self.bits is None or not self.labels:
            return None
        return min(1.0, self.bits / self.labels)

    @property
    def too_much(self) -> bool:
        """Whether organisers should know of it."""
        return not self.why and (self.share is None or self.share > MOST)


def bits(digits: int, right: int = _RIGHT, width: float = 4.0) -> float:
    """What a number at some decimals could tell: log2 of (width · 10^digits / right), 0 at least.

    With one right answer it is the number of values that a number of that width can have.

    >>> bits(2), round(bits(3, right=20), 3), bits(1, right=100)
    (8.643856189774725, 7.644, 0.0)
    """
    return max(0.0, math.log2(max(4.0, width) * 10**digits / right))


def reveals(results: Results) -> Reveal:
    """The bound for a phase: quota × the sum of the bits of the numbers that are shown of a run.

    results  of a phase, as organisers see them
    """
    phase, task = results.phase, results.task
    classes = max(2, len(task.labels))
    labels = results.gold.scored * math.log2(classes)
    runs = quota(phase) if phase else None
    if task.kind == "interval":
        return Reveal(runs, 0, None, labels, "its labels are numbers: it is not known how many")
    if phase and phase.visible == "none":
        return Reveal(runs, 0, 0.0, labels)
    each = [
        min(bits(task.ranking.digits, width=_width(measure)), n * math.log2(classes))
        for measure, n in _numbers(results)
    ]
    total = None if runs is None else runs * math.fsum(each)
    return Reveal(runs, len(each), total, labels)


def quota(phase: Phase) -> int | None:
    """The most runs that a team may have in time; None: any number.

    >>> from datetime import datetime
    >>> day = datetime(2027, 3, 1, 12, tzinfo=UTC)
    >>> quota(Phase("p", day, day + timedelta(days=2), per_day=5))
    15
    """
    limits = [] if phase.runs is None else [phase.runs]
    if phase.per_day is not None:
        days = math.ceil((phase.closes - phase.opens) / timedelta(days=1))
        if phase.day == "utc":
            last = phase.closes.astimezone(UTC) - timedelta(microseconds=1)
            days = (last.date() - phase.opens.astimezone(UTC).date()).days + 1
        limits.append(phase.per_day * days)
    return min(limits, default=None)


def _numbers(results: Results) -> Iterator[tuple[Measure, int]]:
    """Yield the measure and the instances of each number that a run shows."""
    task, phase = results.task, results.phase
    whole = [find(key) for key in task.keys]
    yield from _of(whole, results.gold.scored)
    if phase is not None and not phase.subsets:
        return
    inside = {m.key: m for m in (lead(results, "a part"), *whole) if not m.dimension}
    sizes = replace(GUARDED, sides=0)
    for _, values in results.gold.dimensions:
        parts = {value: Counts(n) for value, n in values if n}
        gone = withheld(parts, sizes, Counts(results.gold.scored)) if phase else set()
        for value, counts in parts.items():
            if value not in gone:
                yield from _of(list(inside.values()), counts.n)


def _of(measures: list[Measure], n: int) -> Iterator[tuple[Measure, int]]:
    for measure in measures:
        if measure.key not in _BLIND:
            ends = 0 if measure.interval == "none" else 2
            yield from [(measure, n)] * (1 + ends)


def _width(measure: Measure) -> float:
    """How far apart two values of a measure can be."""
    low, high = measure.bounds
    return high - low
