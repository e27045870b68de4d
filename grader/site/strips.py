"""Intervals as strips: a line and the value on it, on the axis that a column shares."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.model import FloatArray, Measure, Score
from grader.site.cells import Cells, numbered
from grader.site.tables import best_of

_EDGE = 2  # of an axis within the 100 units of a strip
_PLACES = np.array([*map(str, range(101)), ""], object)
_NONE = len(_PLACES) - 1


@dataclass(frozen=True, slots=True)
class Axis:
    """What a column's strips run from and to."""

    low: float
    high: float

    @property
    def ends(self) -> tuple[str, str]:
        return f"{self.low:.6g}", f"{self.high:.6g}"


class Strips(NamedTuple):
    """Strips of 100 by 8: the places of values, of the ends of their intervals, and of floors.

    Each is empty where there is none.
    """

    value: Sequence[str]
    low: Sequence[str]
    high: Sequence[str]
    floor: Sequence[str]


@dataclass(frozen=True, slots=True)
class Column:
    """The cells of a measure in the order of rows, their strips, and the axis of these.

    There is no axis where there is no value at all.
    """

    cells: Cells
    strips: Strips
    axis: Axis | None


def axis(values: FloatArray, digits: int) -> Axis | None:
    """The least axis with round ends that holds all values; None if there are none.

    Its ends have no more than ``digits`` decimals. Where numbers are too large for such ends,
    it runs from the least value to the largest.

    >>> each = [0.116, 0.902], [0.61, 0.68], [0.611, 0.612], [3.0]
    >>> [axis(np.array(x), 2).ends for x in each]
    [('0', '1'), ('0.6', '0.68'), ('0.61', '0.62'), ('2', '4')]
    """
    if not values.size:
        return None
    low, high = float(values.min()), float(values.max())
    if low == high:
        step = 10.0 ** max(math.floor(math.log10(abs(low) or 1.0)), -digits)
        return Axis(low - step, high + step)
    step = max(_step(high - low), 10.0**-digits)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    return Axis(min(round(first, digits), low), max(round(last, digits), high))


def _step(span: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is at most half of a span."""
    power = 10.0 ** math.floor(math.log10(span / 2))
    return max(m * power for m in (1, 2, 5) if m * power <= span / 2 * (1 + 1e-9))


def column(
    measure: Measure, scores: Sequence[Score | None], digits: int, ranked: int = 0
) -> Column:
    """The cells of a measure and their strips, which show no more digits than the cells.

    ranked  how many of the scores, the first ones, are of ranked runs: the best of these is marked
    """
    made, numbers = numbered(scores, digits)
    known = numbers[~np.isnan(numbers)]
    on = axis(np.append(known, 0.0) if any(made.floor) else known, digits)
    best = best_of(measure, numbers[0], ranked)
    return Column(made._replace(best=best), _strips(on, numbers), on)


def _strips(on: Axis | None, numbers: FloatArray) -> Strips:
    """The strips of what cells print as numbers."""
    if on is None:
        return Strips(*[[""] * numbers.shape[1]] * 4)
    unit = (100 - 2 * _EDGE) / (on.high - on.low)
    places = np.rint(_EDGE + (numbers - on.low) * unit).clip(0, 100)
    return Strips(*_PLACES[np.nan_to_num(places, nan=_NONE).astype(int)].tolist())
