"""What is gained by keeping only the surest answers: the accuracy–coverage curve."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.model import Bin, Judged, Kept, Reach, Selective

POINTS = 200
PERCENTS = (80, 90, 95, 99)
_SLACK = 1e-6  # of what a rounded accuracy amounts to, which no float64 says exactly


def selective(judged: Judged) -> Selective:
    """Accuracy against coverage, and the thresholds that reach an accuracy.

    A point stands only where confidences differ: between two thresholds nobody can stop. At
    most POINTS are kept, at even steps of coverage; the thresholds are read before that.

    judged  has at least one instance
    """
    cells = judged.cells
    kept = np.cumsum(cells.size[0][::-1]).astype(np.int64)
    right = np.cumsum(cells.right[0][::-1]).astype(np.int64)
    level = cells.level[::-1]
    sure = np.cumsum(level * cells.size[0][::-1])
    marks = np.ceil(np.arange(1, POINTS + 1) * (kept[-1] / POINTS))
    chosen = np.unique(np.searchsorted(kept, np.minimum(marks, kept[-1])))

    def point(at: int) -> Kept:
        return Kept(float(level[at]), int(kept[at]), int(right[at]), float(sure[at]))

    reaches = []
    for percent in PERCENTS:
        enough = np.flatnonzero(100 * right >= percent * kept)
        reaches.append(Reach(percent, point(int(enough[-1])) if enough.size else None))
    return Selective(len(judged.correct), tuple(map(point, map(int, chosen))), tuple(reaches))


def reaches(points: Sequence[Kept]) -> tuple[Reach, ...]:
    """The same thresholds, read only at these points."""
    found = []
    for percent in PERCENTS:
        enough = [p for p in points if 100 * p.right >= percent * p.kept - _SLACK]
        found.append(Reach(percent, enough[-1] if enough else None))
    return tuple(found)


def rounded_curve(found: Selective, digits: int) -> Selective:
    """The curve as its accuracies tell it at these decimals, and what is read on it.

    How many of the kept are right is then what the accuracy amounts to, and no whole number.

    >>> rounded_curve(Selective(30, (Kept(0.9, 30, 14, 27.0),), ()), 1).points[0].right
    15.0
    """
    points = tuple(replace(p, right=round(p.accuracy, digits) * p.kept) for p in found.points)
    return replace(found, points=points, reaches=reaches(points))


def coarse_curve(found: Selective, bins: Sequence[Bin], few: int) -> Selective:
    """The curve at ten coverages at most, with no step of fewer than ``few`` answers.

    A sender chooses the order of the answers: finer steps, over a few runs, would spell the gold.

    Steps against the bins of the reliability diagram, whose accuracies are shown as well, count
    too: two totals a few answers apart would tell which of those are right.

    bins  lowest confidence first; the accuracy is None where it is not shown
    """
    ends, open_to, place, hidden = [], 0, 0, False
    for one in reversed(bins):
        place += one.n
        hidden = hidden or one.accuracy is None
        open_to = open_to if hidden else place
        ends.append(place)
    points: list[Kept] = []
    least = max(few, found.n // 10)
    for point in found.points:
        last = points[-1].kept if points else 0
        if point.kept - last < least and point.kept != found.n:
            continue
        steps = [point.kept - last, found.n - point.kept or few]
        steps += [abs(point.kept - end) for end in ends if end != point.kept or end > open_to]
        if min(steps) >= few or point.kept == found.n:
            points.append(point)
    return Selective(found.n, tuple(points), reaches(points), coarse=True)
