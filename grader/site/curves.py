"""Geometry of the strip of a ladder and of an accuracy–coverage curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Kept, Rung, Selective

STRIP = 200.0  # the length of a strip
WIDE, TALL = 320.0, 190.0  # of a curve's field
LEFT, TOP = 44.0, 10.0


@dataclass(frozen=True, slots=True)
class Strip:
    """A rung drawn: its value at ``at``, noise up to ``q95`` (None: no floor), its mean."""

    rung: Rung
    at: float
    mean: float | None
    q95: float | None


def strips(ladder: Sequence[Rung]) -> tuple[Strip, ...]:
    """The rungs on one scale from 0, in the order given.

    >>> [(s.at, s.q95) for s in strips([Rung("ks", 0.1, 0.01, 0.02), Rung("smece", 0.05)])]
    [(194.0, 38.8), (97.0, None)]
    """
    most = max((x for r in ladder for x in (r.value, r.q95 or 0.0)), default=0.0) or 1.0

    def place(value: float | None) -> float | None:
        return None if value is None else round((STRIP - 6) * max(value, 0.0) / most, 1)

    return tuple(Strip(r, place(r.value) or 0.0, place(r.mean), place(r.q95)) for r in ladder)


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a curve, and what it stands for."""

    kept: Kept
    coverage: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Accuracy (upwards, from ``least``) against coverage (to the right)."""

    dots: tuple[Dot, ...]
    path: str
    across: tuple[tuple[str, float], ...]
    up: tuple[tuple[str, float], ...]
    whole: float
    least: float
    left: float = LEFT
    right: float = LEFT + WIDE
    top: float = TOP
    bottom: float = TOP + TALL
    width: float = LEFT + WIDE + 14
    height: float = TOP + TALL + 38


def curve(found: Selective) -> Curve | None:
    """The points of a curve on the screen; None if there is none to show."""
    if not found.points:
        return None
    lowest = min(p.accuracy for p in found.points)
    least = max(min(math.floor(lowest * 10 - 1e-9) / 10, 0.9), 0.0)

    def y(accuracy: float) -> float:
        return round(TOP + TALL * (1 - (accuracy - least) / (1 - least)), 1)

    dots = tuple(
        Dot(p, p.kept / found.n, round(LEFT + WIDE * p.kept / found.n, 1), y(p.accuracy))
        for p in found.points
    )
    path = "M" + "L".join(f"{d.x} {d.y}" for d in dots)
    across = tuple((f"{i / 5:g}", round(LEFT + WIDE * i / 5, 1)) for i in range(6))
    tenths = range(round(least * 10), 11)
    up = tuple(
        (f"{i / 10:g}", y(i / 10)) for i in tenths if (10 - i) % (1 + len(tenths) // 6) == 0
    )
    return Curve(dots, path, across, up, dots[-1].y, least)
