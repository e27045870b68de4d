"""R_O and R_U of every run on a plane, with the contours of their harmonic mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.board import shown_each
from grader.site.pictures.axes import Axis, axis, line, stride, window
from grader.site.pictures.marks import MOST, Box, Mark, Spot, clear, marked
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.runs import KEYS, NAMED, drawn_rows, keys, labels, rewards, said
from grader.site.sheets import Sheet

SIDE, LEFT, TOP = 340.0, 46.0, 18.0
POINTS = 16  # steps of a contour
LEAST = 0.2  # the least stretch of an axis


@dataclass(frozen=True, slots=True)
class Contour:
    """Where HMR is ``level``: a path, and its label's place, in the middle of a plate."""

    level: str
    path: str
    x: float
    y: float

    @property
    def plate(self) -> Box:
        """What the label covers of the curve, and of the diagonal."""
        wide = 2.7 * len(self.level) + 1
        return self.x - wide, self.y - 5.5, self.x + wide, self.y + 5.5


@dataclass(frozen=True, slots=True)
class Plane:
    """R_O to the right, R_U upwards, on axes of the same length and scale."""

    across: Axis
    up: Axis
    contours: tuple[Contour, ...]
    diagonal: str
    marks: tuple[Mark, ...]
    width: float = LEFT + SIDE + 14
    height: float = TOP + SIDE + 46


def plane(on: Sheet) -> Picture | None:
    """Every run that has rewards; None if none has."""
    digits = on.results.task.ranking.digits
    found = [(row, made) for row in drawn_rows(on) if (made := rewards(row.entry))]
    if not found:
        return None
    points = [(as_shown(r.r_o, digits), as_shown(r.r_u, digits)) for _, r in found]
    across, up = _axes(points, digits)
    numbers = ([r.r_o for _, r in found], [r.r_u for _, r in found], [r.hmr for _, r in found])
    printed = tuple(zip(*(shown_each(column, digits) for column in numbers), strict=True))
    each = enumerate(zip(found, points, printed, strict=True))
    most = NAMED if len(found) > MOST else MOST
    spots = [
        Spot(
            across.at(x),
            up.at(y),
            "ranked" if row.rank else "apart",
            "{}: R_O {}, R_U {}, HMR {}".format(said(row), *told),
            labels(row, i) if i < most else (),
        )
        for i, ((row, _), (x, y), told) in each
    ]
    aside = (LEFT, 0.0, LEFT + 120, TOP - 3)  # the words above the frame
    curves = contours(across, up, digits, spots)
    rows = tuple((*keys(row), *told) for (row, _), told in zip(found, printed, strict=True))
    return Picture(
        "plane",
        "plane",
        "R_O and R_U of every run",
        f"R_U against R_O of {len(found)} runs, with contours of their harmonic mean, HMR. "
        "Above the diagonal a run trusts its right answers more than it doubts its wrong ones.",
        Plane(
            across,
            up,
            curves,
            _diagonal(across, up),
            marked(spots, across, up, [aside, *(c.plate for c in curves)]),
        ),
        Data((*KEYS, "r_o", "r_u", "hmr"), rows, len(KEYS)),
    )


def _axes(points: list[tuple[float, float]], digits: int) -> tuple[Axis, Axis]:
    """Two axes of the same scale that hold the points."""
    ends = [window([p[i] for p in points], (0, 1), LEAST) for i in (0, 1)]
    span = max(high - low for low, high in ends)
    sides, heights = (window(e, (0, 1), span) for e in ends)
    across = axis(sides, (LEFT, LEFT + SIDE), digits)
    return across, axis(heights, (TOP + SIDE, TOP), digits)


def contours(
    across: Axis, up: Axis, digits: int, spots: Sequence[Spot] = ()
) -> tuple[Contour, ...]:
    """The curves of equal HMR within the axes, at round levels, the lowest first.

    Their labels stand where none of the points is, if there is such a place.
    """
    best = _mean(across.high, up.high)
    worst = _mean(across.low, up.low)
    step = max(stride(max(best - worst, 0.01), 11), 10.0**-digits)
    first, last = math.floor(worst / step) + 1, math.ceil(best / step - 1e-9) - 1
    levels = (round(i * step, 12) for i in range(max(first, 1), last + 1))
    return tuple(made for level in levels if (made := _contour(level, across, up, spots)))


def _mean(x: float, y: float) -> float:
    return 2 * x * y / (x + y) if x + y else 0.0


def _contour(level: float, across: Axis, up: Axis, spots: Sequence[Spot]) -> Contour | None:
    """(2x − h)(2y − h) = h², walked by the logarithm of the two factors' ratio.

    Its label is as near to the diagonal as it may be.
    """
    ends = stretch(level, across, up)
    if ends is None:
        return None
    low, high = ends
    ways = [low + (high - low) * i / POINTS for i in range(POINTS + 1)]
    places = [(across.at(x), up.at(y)) for x, y in (on_contour(level, way) for way in ways)]
    best = min(max(0.0, ways[1]), ways[-2])
    rest = sorted(ways[1:-1], key=lambda way: abs(way - best))
    found = [
        Contour(f"{level:g}", line(places), across.at(x), up.at(y))
        for x, y in (on_contour(level, way) for way in (best, *rest))
    ]
    return next((c for c in found if clear(c.plate, spots)), found[0])


def on_contour(level: float, way: float) -> tuple[float, float]:
    """A point whose harmonic mean is ``level``; both its values are that at 0.

    >>> x, y = on_contour(0.6, 0.5)
    >>> round(2 * x * y / (x + y), 12), on_contour(0.5, 0)
    (0.6, (0.5, 0.5))
    """
    return level * (1 + math.exp(way)) / 2, level * (1 + math.exp(-way)) / 2


def stretch(level: float, across: Axis, up: Axis) -> tuple[float, float] | None:
    """From where to where a contour lies within the axes; None if it does not."""
    low = max(_way(across.low, level), -_way(up.high, level))
    high = min(_way(across.high, level), -_way(up.low, level))
    return (low, high) if low < high else None


def _way(value: float, level: float) -> float:
    """Where on a contour one of its values is this; −∞ if it is always more."""
    rest = 2 * value / level - 1
    return math.log(rest) if rest > 0 else -math.inf


def _diagonal(across: Axis, up: Axis) -> str:
    low, high = max(across.low, up.low), min(across.high, up.high)
    if low >= high:
        return ""
    return f"M{across.at(low)} {up.at(low)}L{across.at(high)} {up.at(high)}"
