"""Accuracy against coverage: of one run at each threshold, or of the best runs of a board."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from grader.board import shown, shown_each
from grader.model import Entry, Kept, Row, Selective
from grader.site.pictures.axes import Axis, Columns, axis, line, placed
from grader.site.pictures.names import clipped
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.runs import KEYS, NAMED, TEAM, drawn_rows, keys, said
from grader.site.sheets import Sheet, shown_grading

LEFT, WIDE, TOP, TALL = 46.0, 300.0, 12.0, 190.0
FINEST = 50  # points of a run's curve on a board
APART = 10.0  # between two labels
COLUMNS = ("confidence from", "kept", "coverage", "accuracy")


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a curve, and what it stands for."""

    said: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Accuracy (upwards, from ``up.low``) against coverage (to the right)."""

    across: Axis
    up: Axis
    path: str
    dots: tuple[Dot, ...]
    whole: float
    width: float = LEFT + WIDE + 14
    height: float = TOP + TALL + 38

    @property
    def points(self) -> Columns:
        """Its points as they are printed."""
        dots = self.dots
        return [d.said for d in dots], *placed([d.x for d in dots], [d.y for d in dots])


@dataclass(frozen=True, slots=True)
class Trace:
    """A run's curve in the ``style``th of the styles, from 1 on, its label at ``label``."""

    said: str
    path: str
    name: str
    style: int
    end: float
    label: float


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves of the first runs of a board, their labels at the right."""

    across: Axis
    up: Axis
    traces: tuple[Trace, ...]
    width: float = LEFT + WIDE + 124
    height: float = TOP + TALL + 38


def curve(found: Selective, digits: int) -> Picture | None:
    """A run's accuracy at each threshold that is shown; None if none is."""
    if not found.points:
        return None
    across, up = _axes(found.points, digits)
    dots = tuple(_dot(p, found.n, (across, up), digits) for p in found.points)
    first, last = (shown(p.accuracy, digits) for p in (found.points[0], found.points[-1]))
    return Picture(
        "coverage",
        "coverage",
        "Accuracy–coverage curve",
        "Accuracy of the surest answers against their share of all, from "
        f"{first} at the strictest of {len(dots)} thresholds to {last} for all.",
        Curve(across, up, line((dot.x, dot.y) for dot in dots), dots, dots[-1].y),
        Data(
            COLUMNS,
            tuple(_cells([(found.n, p) for p in found.points], digits)),
        ),
    )


def _axes(points: Sequence[Kept], digits: int) -> tuple[Axis, Axis]:
    lowest = min(as_shown(p.accuracy, digits) for p in points)
    least = max(min(math.floor(lowest * 10 - 1e-9) / 10, 0.9), 0.0)
    return axis((0, 1), (LEFT, LEFT + WIDE)), axis((least, 1), (TOP + TALL, TOP), digits)


def _dot(point: Kept, n: int, axes: tuple[Axis, Axis], digits: int) -> Dot:
    accuracy = as_shown(point.accuracy, digits)
    told = (
        f"confidence at least {point.threshold:.6g}: {point.kept:,} kept "
        f"({shown(100 * point.kept / n, 1)}%), accuracy {shown(accuracy, digits)}"
    )
    return Dot(told, axes[0].at(point.kept / n), axes[1].at(accuracy))


def _cells(points: Sequence[tuple[int, Kept]], digits: int) -> Iterator[tuple[str, ...]]:
    """The cells of points of curves, each with the n of its curve."""
    return zip(
        [f"{point.threshold:.6g}" for _, point in points],
        [str(point.kept) for _, point in points],
        shown_each([point.kept / n for n, point in points], digits),
        shown_each([point.accuracy for _, point in points], digits),
        strict=True,
    )


def curves(on: Sheet) -> Picture | None:
    """The curves of the first NAMED ranked runs that have some; the data has every run's."""
    digits = on.results.task.ranking.digits
    found = [(row, made) for row in drawn_rows(on) if (made := _found(row.entry)).points]
    best = [(row, made) for row, made in found if row.rank is not None][:NAMED]
    if not best:
        return None
    across, up = _axes([p for _, made in best for p in made.points], digits)
    points = [(made.n, point) for _, made in found for point in made.points]
    runs = (key for row, made in found for key in repeat(keys(row), len(made.points)))
    rows = ((*run, *told) for run, told in zip(runs, _cells(points, digits), strict=True))
    return Picture(
        "coverage",
        "curves",
        "Accuracy–coverage curves of the best runs",
        f"Accuracy of the surest answers against their share of all, of the first {len(best)} of "
        f"{len(found)} runs.",
        Curves(across, up, _traces(best, (across, up), digits)),
        Data((*KEYS, *COLUMNS), tuple(rows), len(KEYS)),
    )


def printed_points(entry: Entry, digits: int) -> tuple[tuple[str, ...], ...]:
    """The points of a run's curve on a board, as printed under COLUMNS; none if none is shown."""
    found = _found(entry)
    return tuple(_cells([(found.n, point) for point in found.points], digits))


def _found(entry: Entry) -> Selective:
    """A run's curve with at most FINEST points and the last; without any if none is shown."""
    graded = shown_grading(entry)
    if graded is None or graded.brief is None:
        return Selective(0, (), ())
    found = graded.brief.selective
    kept: list[Kept] = []
    for point in found.points:
        if (
            point.kept == found.n
            or point.kept - (kept[-1].kept if kept else 0) >= found.n / FINEST
        ):
            kept.append(point)
    return Selective(found.n, tuple(kept), ())


def _traces(
    best: Sequence[tuple[Row, Selective]], axes: tuple[Axis, Axis], digits: int
) -> tuple[Trace, ...]:
    paths = [[_dot(p, made.n, axes, digits) for p in made.points] for _, made in best]
    labels = spread([dots[-1].y for dots in paths], TOP, TOP + TALL)
    return tuple(
        Trace(
            f"{said(row)}: accuracy {shown(made.points[-1].accuracy, digits)} of all answers",
            line((dot.x, dot.y) for dot in dots),
            f"{row.rank} {clipped(row.entry.team, TEAM)}",
            style,
            dots[-1].y,
            label,
        )
        for style, ((row, made), dots, label) in enumerate(
            zip(best, paths, labels, strict=True), 1
        )
    )


def spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places near those that are wanted, in their order, APART from each other.

    >>> spread([50, 52, 10], 0, 100), spread([99, 98], 0, 100)
    ([46.0, 56.0, 10.0], [100.0, 90.0])
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    groups: list[tuple[list[int], float]] = []
    for one in order:
        members, middle = [one], float(wanted[one])
        while groups and _overlap(groups[-1], (members, middle)):
            before, _ = groups.pop()
            members = before + members
            middle = sum(wanted[i] for i in members) / len(members)
            half = APART * (len(members) - 1) / 2
            middle = min(max(middle, top + half), bottom - half)
        groups.append((members, middle))
    found = [0.0] * len(wanted)
    for members, middle in groups:
        for place, one in enumerate(members):
            found[one] = round(middle + APART * (place - (len(members) - 1) / 2), 1)
    return found


def _overlap(one: tuple[list[int], float], other: tuple[list[int], float]) -> bool:
    halves = APART * (len(one[0]) + len(other[0])) / 2
    return other[1] - one[1] < halves
