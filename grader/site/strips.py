"""Intervals as strips: a line and the value on it, on the axis that a column shares."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from grader.model import Measure, Score
from grader.site.cells import Cell, cells, sort
from grader.site.tables import marked

_EDGE = 2  # of an axis within the 100 units of a strip
_WHOLE = "M%.0f 0V8M%.0f 4H%.0f"


@dataclass(frozen=True, slots=True)
class Axis:
    """What a column's strips run from and to."""

    low: float
    high: float

    @property
    def ends(self) -> tuple[str, str]:
        return f"{self.low:.6g}", f"{self.high:.6g}"


class Strip(NamedTuple):
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
    made = cells(scores, digits)
    if not made:
        return Column((), (), None)
    texts, marks, _, _, _, lows, highs, _, floors, *_ = zip(*made, strict=True)
    made[:ranked] = marked(measure, made[:ranked])
    numbers = [_numbers(each) for each in (list(map(sort, texts, marks)), lows, highs, floors)]
    found = [number for each in numbers for number in each if number is not None]
    on = axis([*found, 0.0] if any(floors) else found, digits)
    return Column(tuple(made), tuple(_strips(on, numbers)), on)


def _numbers(texts: Sequence[str]) -> Sequence[float | None]:
    return list(map(float, texts)) if all(texts) else [float(x) if x else None for x in texts]


def _strips(on: Axis | None, numbers: Sequence[Sequence[float | None]]) -> Iterable[Strip | None]:
    """The strips of values, the ends of their intervals, and floors."""
    if on is None:
        return [None] * len(numbers[0])
    unit = (100 - 2 * _EDGE) / (on.high - on.low)
    zero = _EDGE - on.low * unit
    places = [[x if x is None else zero + x * unit for x in each] for each in numbers]
    *ends, floors = places
    below = ["" if floor is None else f"M{_EDGE} 4H{floor:.0f}" for floor in floors]
    if any(None in each for each in ends):
        paths = [_path(*each) for each in zip(*ends, strict=True)]
    else:  # most columns of a long board
        flat = tuple(chain.from_iterable(zip(*ends, strict=True)))
        paths = (f"{_WHOLE}\n" * len(below) % flat).splitlines()
    return [Strip(*each) if each[0] else None for each in zip(paths, below, strict=True)]


def _path(value: float | None, low: float | None, high: float | None) -> str:
    """A stroke at a value, and a line from end to end; empty without a value."""
    if value is None:
        return ""
    return f"M{value:.0f} 0V8" if low is None or high is None else _WHOLE % (value, low, high)
