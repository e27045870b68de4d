"""Chart geometry: numbers in, screen numbers out. Templates only print them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Bin

SIDE = 240.0
LEFT, TOP, FOOT = 44.0, 10.0, 44.0
_GAP = 34.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin: its accuracy as a bar, its (confidence, accuracy) as a point, its n below.

    ``level`` is where the point would be if accuracy were the confidence.
    """

    bin: Bin
    low: float
    high: float
    x: float
    width: float
    top: float
    height: float
    cx: float
    cy: float
    r: float
    level: float
    foot: float
    depth: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability diagram: a square of side SIDE, and a row of counts below it."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[str, float, float], ...]
    most: int
    left: float = LEFT
    right: float = LEFT + SIDE
    top: float = TOP
    bottom: float = TOP + SIDE
    foot: float = TOP + SIDE + _GAP
    width: float = LEFT + SIDE + 12
    height: float = TOP + SIDE + _GAP + FOOT + 10


def _x(share: float) -> float:
    return round(LEFT + SIDE * share, 1)


def _y(share: float) -> float:
    return round(TOP + SIDE * (1 - share), 1)


def reliability(bins: Sequence[Bin]) -> Reliability | None:
    """Place equal-width bins of confidence, lowest first; None if no bin holds an instance.

    >>> drawn = reliability([Bin(4, 0.5, 0.25)])
    >>> drawn and (drawn.bars[0].x, drawn.bars[0].height, drawn.bars[0].cx, drawn.bars[0].level)
    (44.0, 60.0, 164.0, 130.0)
    """
    most = max((b.n for b in bins), default=0)
    if not most:
        return None
    bars = tuple(
        Bar(
            bin=b,
            low=m / len(bins),
            high=(m + 1) / len(bins),
            x=_x(m / len(bins)),
            width=round(SIDE / len(bins), 1),
            top=_y(b.accuracy or 0.0),
            height=round(SIDE * (b.accuracy or 0.0), 1),
            cx=_x(b.confidence),
            cy=_y(b.accuracy or 0.0),
            r=round(2.5 + 4 * math.sqrt(b.n / most), 1),
            level=_y(b.confidence),
            foot=round(TOP + SIDE + _GAP + FOOT * (1 - b.n / most), 1),
            depth=round(FOOT * b.n / most, 1),
        )
        for m, b in enumerate(bins)
        if b.n
    )
    ticks = tuple((f"{i / 5:g}", _x(i / 5), _y(i / 5)) for i in range(6))
    return Reliability(bars, ticks, most)


def share(value: float, bounds: tuple[float, float]) -> float:
    """Where a value lies between its bounds, as the length of a bar from 0 to 100.

    >>> share(0.25, (0, 1)), share(3.0, (0, 1))
    (25.0, 100.0)
    """
    low, high = bounds
    return round(100 * min(max((value - low) / (high - low), 0.0), 1.0), 1)
