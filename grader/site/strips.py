"""Intervals as strips: a line and the value on it, on the axis that a column shares."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.model import Measure, Score
from grader.site.tables import Cell, cell, marked

_EDGE = 2  # of an axis within the 100 units of a strip
_Numbers = tuple[float, float | None, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Axis:
    """What a column's strips run from and to."""

    low: float
    high: float

    @property
    def ends(self) -> tuple[str, str]:
        return f"{self.low:.6g}", f"{self.high:.6g}"

    def at(self, value: float) -> int:
        """Where a value stands, in units of a strip of 100."""
        share = (value - self.low) / (self.high - self.low)
        return round(_EDGE + (100 - 2 * _EDGE) * min(max(share, 0.0), 1.0))


@dataclass(frozen=True, slots=True)
class Strip:
    """A strip of 100 by 8: the path of a value and its interval, and that of its floor, if any.

    Browsers draw a path as fast as half of it: the fewer the better on a long board.
    """

    path: str
    floor: str


@dataclass(frozen=True, slots=True)
class Column:
    """The cells of a measure in the order of rows, their strips, and the axis of these.

    There is no strip where there is no value, and no axis where there is none at all.
    """

    cells: tuple[Cell, ...]
    strips: tuple[Strip | None, ...]
    axis: Axis | None


def axis(values: Iterable[float], digits: int) -> Axis | None:
    """The least axis with round ends that holds all values; None if there are none.

    Its ends have no more than ``digits`` decimals.

    >>> [axis(x, 2).ends for x in ([0.116, 0.902], [0.61, 0.68], [0.611, 0.612], [3.0])]
    [('0', '1'), ('0.6', '0.68'), ('0.61', '0.62'), ('2', '4')]
    """
    found = tuple(values)
    if not found:
        return None
    low, high = min(found), max(found)
    if low == high:
        step = 10.0 ** max(math.floor(math.log10(abs(low) or 1.0)), -digits)
        return Axis(low - step, high + step)
    step = max(_step(high - low), 10.0**-digits)
    return Axis(round(math.floor(low / step) * step, 9), round(math.ceil(high / step) * step, 9))


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
    cells = tuple(cell(score, digits) for score in scores)
    cells = (*marked(measure, cells[:ranked]), *cells[ranked:])
    numbers = [_numbers(score, digits) for score in scores]
    floors = [0.0] if any(each and each[3] is not None for each in numbers) else []
    seen = (x for each in numbers if each for x in each if x is not None)
    on = axis([*floors, *seen], digits)
    return Column(cells, tuple(_strip(on, each) if on and each else None for each in numbers), on)


def _numbers(score: Score | None, digits: int) -> _Numbers | None:
    """A value, the ends of its interval, and its floor, as they are shown."""
    if score is None or score.value is None:
        return None
    low, high, floor = (
        None if x is None else round(x, digits) for x in (score.low, score.high, score.floor_95)
    )
    return round(score.value, digits), low, high, floor


def _strip(on: Axis, numbers: _Numbers) -> Strip:
    value, low, high, floor = numbers
    reach = "" if low is None or high is None else f"M{on.at(low)} 4H{on.at(high)}"
    noise = "" if floor is None else f"M{_EDGE} 4H{on.at(floor)}"
    return Strip(f"M{on.at(value)} 0V8{reach}", noise)
