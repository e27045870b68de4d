"""Scales: a value in, its place on the screen out."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from grader.board import shown_each

Columns = tuple[Sequence[bool | str], ...]  # what a macro prints of many things
_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from ``low`` to ``high`` on a line of the screen from ``start`` to ``end``.

    ``ticks`` are labels with their places.
    """

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[tuple[str, float], ...] = ()

    def at(self, value: float) -> float:
        """The place of a value, to a tenth of a unit.

        >>> Axis(0, 2, 10, 20).at(0.5), Axis(0, 1, 100, 0).at(0.25)
        (12.5, 75.0)
        """
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + (self.end - self.start) * share, 1)

    def along(self, texts: Iterable[str]) -> list[float | None]:
        """The places of values that come as printed; None where there is none.

        >>> Axis(0, 2, 10, 20).along(["0.5", "", "2"])
        [12.5, None, 20.0]
        """
        low, span, start, wide = self.low, self.high - self.low, self.start, self.end - self.start
        values = (float(text) if text else None for text in texts)
        return [None if v is None else round(start + wide * ((v - low) / span), 1) for v in values]

    def upright(self, top: float, bottom: float) -> str:
        """A path of upright lines at its ticks."""
        return "".join(f"M{at} {top}V{bottom}" for _, at in self.ticks)

    def level(self, left: float, right: float) -> str:
        """A path of level lines at its ticks."""
        return "".join(f"M{left} {at}H{right}" for _, at in self.ticks)

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


@lru_cache(maxsize=256)  # most axes are those of the run before
def axis(
    ends: tuple[float, float], places: tuple[float, float], digits: int = 9, most: int = 6
) -> Axis:
    """An axis with at most ``most`` ticks, at multiples of 1, 2 or 5 times a power of ten.

    Ticks have at most ``digits`` decimals, as the values have.

    >>> axis((0.25, 1), (0, 150)).ticks
    (('0.4', 30.0), ('0.6', 70.0), ('0.8', 110.0), ('1', 150.0))
    >>> axis((0, 0.1), (0, 100), 1).ticks
    (('0', 0.0), ('0.1', 100.0))
    """
    low, high = ends
    made = Axis(low, high, *places)
    step = max(stride(high - low, most), 10.0**-digits)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = (round(i * step, 12) + 0.0 for i in range(first, last + 1))
    return Axis(low, high, *places, tuple((f"{v:g}", made.at(v)) for v in values))


def placed(*columns: Sequence[float | None]) -> list[list[str]]:
    """Places as they are printed, to a tenth of a unit; empty where there is none.

    columns  all of one length

    >>> placed([1.25, None], [3, 4.0])
    [['1.2', ''], ['3.0', '4.0']]
    """
    flat, many = shown_each(list(chain.from_iterable(columns)), 1), len(columns[0])
    return [flat[i * many : (i + 1) * many] for i in range(len(columns))]


def line(places: Iterable[tuple[float, float]]) -> str:
    """A path from each place to the next; there is at least one.

    >>> line([(0, 1.5), (2.0, 3)])
    'M0 1.5L2.0 3'
    """
    return "M" + "L".join(f"{x} {y}" for x, y in places)


def stride(span: float, most: int) -> float:
    """The least step of 1, 2 or 5 times a power of ten that passes a span in ``most`` marks.

    >>> stride(1, 6), stride(0.3, 6), stride(70, 6)
    (0.2, 0.1, 20.0)
    """
    power = 10.0 ** math.floor(math.log10(span / (most - 1)) + 1e-9)
    return next(s * power for s in _STEPS if s * power * (most - 1) >= span * (1 - 1e-9))


def window(
    values: Iterable[float], bounds: tuple[float, float], least: float
) -> tuple[float, float]:
    """The ends of an axis that holds the values, at round numbers, ``least`` apart or more.

    >>> window([0.512, 0.731], (0, 1), 0.2), window([0.98], (0, 1), 0.2), window([], (0, 1), 0.2)
    ((0.5, 0.75), (0.8, 1.0), (0.0, 1.0))
    """
    found = sorted(values)
    if not found:
        return float(bounds[0]), float(bounds[1])
    room = max(least - (found[-1] - found[0]), 0.0) / 2
    step = stride(max(found[-1] - found[0], least), 6)
    low = math.floor((found[0] - room) / step + 1e-9) * step
    high = math.ceil((found[-1] + room) / step - 1e-9) * step
    low, high = max(low, bounds[0]), min(high, bounds[1])
    low, high = max(min(low, high - least), bounds[0]), min(max(high, low + least), bounds[1])
    return round(float(low), 12), round(float(high), 12)
