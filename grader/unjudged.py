"""How far a score may still go while some answers are not judged: sharp bounds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from grader.floor import blocks
from grader.measures.calibration import sums_by
from grader.model import Cells, FloatArray, Judged, Measure

MOST = 12  # waiting answers up to which every way to judge them is tried
NOT_JUDGED = "not all of its answers are judged yet"


@dataclass(frozen=True, slots=True)
class Extremes:
    """The least and the largest value that a measure can have once all answers are judged."""

    least: float
    most: float


def extremes(measures: Sequence[Measure], judged: Judged) -> dict[str, Extremes]:
    """The sharp bounds of each measure over all ways to judge the waiting answers, by its key.

    A measure is not there if it is defined in none of them, or where its bounds are not known:
    such as need bins that ties decide, with more than MOST answers waiting.

    Of measures that never get worse when, of two answers, the surer becomes the right one, the
    bounds lie among the ways in which the k surest, or the k least sure, are right: two for
    each k.
    """
    found = {
        measure.key: Extremes(*measure.extremes(judged, **measure.params))
        for measure in measures
        if measure.extremes is not None
    }
    by_order = [m for m in measures if m.extremes is None and m.ordered]
    tried = [m for m in measures if m.extremes is None and not m.ordered]
    found |= _over(by_order, _surest(judged))
    if judged.waiting.sum() <= MOST:
        found |= _over([m for m in tried if m.needs == "confidence"], _every(judged))
    return found


def _over(measures: Sequence[Measure], ways: Iterator[Cells]) -> dict[str, Extremes]:
    """The extremes over all ways, without measures that are undefined in each."""
    least = dict.fromkeys((m.key for m in measures), np.inf)
    most = dict.fromkeys(least, -np.inf)
    for cells in ways if measures else ():
        for measure in measures:
            values = measure.fn(cells, **measure.params)
            values = values[~np.isnan(values)]
            least[measure.key] = float(values.min(initial=least[measure.key]))
            most[measure.key] = float(values.max(initial=most[measure.key]))
    return {key: Extremes(least[key], most[key]) for key in least if least[key] <= most[key]}


def _surest(judged: Judged) -> Iterator[Cells]:
    """Yield ways: the k surest, or the k least sure, of the waiting answers are right."""
    level, right, wrong, open_ = _levels(judged)
    many = int(open_.sum())
    below = np.cumsum(open_) - open_
    above = many - below - open_
    for before in (above, below):
        start = 0
        for rows in blocks(many + 1, len(level)):
            k = np.arange(start, start + rows, dtype=np.float64)[:, None]
            more = np.clip(k - before, 0.0, open_)
            yield Cells(level, right + more, wrong + (open_ - more))
            start += rows


def _every(judged: Judged) -> Iterator[Cells]:
    """Yield every way: how many waiting answers of each level are right."""
    level, right, wrong, open_ = _levels(judged)
    at = np.flatnonzero(open_)
    ways = np.array(list(product(*(range(int(n) + 1) for n in open_[at]))), dtype=np.float64)
    more = np.zeros((len(ways), len(level)))
    more[:, at] = ways
    yield Cells(level, right + more, wrong + (open_ - more))


def _levels(judged: Judged) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Shape (K,) each: the confidences, and how many right, wrong and waiting answers each has."""
    level, place = np.unique(judged.confidence + 0.0, return_inverse=True)
    counts = (
        sums_by(place, which, len(level))
        for which in (judged.correct, ~judged.correct & ~judged.waiting, judged.waiting)
    )
    right, wrong, open_ = counts
    return level, right, wrong, open_
