"""The reliability diagram, and what stands in its bins: how many are right, how many wrong."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.board import shown
from grader.ends import score_interval
from grader.model import Bin
from grader.site.pictures.axes import Axis, Columns, axis, places
from grader.site.pictures.picture import Data, Picture, as_shown, number

SIDE, LEFT, TOP, FOOT, GAP = 240.0, 44.0, 10.0, 44.0, 34.0
UP, DOWN = 120.0, 60.0  # of the histogram: the most that right answers, or wrong ones, may take


@dataclass(frozen=True, slots=True)
class Bar:
    """One bin: its accuracy as a bar with an interval, its (confidence, accuracy) as a point.

    ``level`` is where the point would be if accuracy were the confidence; ``ends`` the interval
    of the accuracy. Both, and ``top``, are None where the accuracy is not shown. ``foot`` and
    ``depth`` are the bar of its n.
    """

    said: str
    x: float
    width: float
    cx: float
    r: float
    level: float
    top: float | None
    ends: tuple[float, float] | None
    foot: float
    depth: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """A square of side SIDE, and a row of counts below it.

    ``gaps`` and ``whiskers`` are paths: from each accuracy to its confidence, and its intervals.
    """

    across: Axis
    up: Axis
    bars: tuple[Bar, ...]
    most: int
    gaps: str
    whiskers: str
    foot: float = TOP + SIDE + GAP
    width: float = LEFT + SIDE + 12
    height: float = TOP + SIDE + GAP + FOOT + 10

    @property
    def blocks(self) -> Columns:
        """The bars of accuracies and of counts as they are printed."""
        bars, floor = self.bars, self.up.start
        return (
            places([b.x + 1 for b in bars]),
            places([b.width - 2 for b in bars]),
            places([b.top for b in bars]),
            places([None if b.top is None else floor - b.top for b in bars]),
            places([b.foot for b in bars]),
            places([b.depth for b in bars]),
        )

    @property
    def points(self) -> Columns:
        """The points as they are printed, and what can be pointed at."""
        bars = self.bars
        return (
            places([b.x for b in bars]),
            places([b.width for b in bars]),
            places([b.cx for b in bars]),
            places([b.top for b in bars]),
            places([b.r for b in bars]),
            [b.said for b in bars],
        )


@dataclass(frozen=True, slots=True)
class Filled:
    """A bin that holds answers: its place, and its accuracy and interval as they are printed."""

    place: int
    bin: Bin
    accuracy: float | None
    ends: tuple[float, float] | None


def filled(bins: Sequence[Bin], digits: int) -> Iterator[Filled]:
    """Yield the bins with their intervals, from what is shown of them.

    The interval is that of Wilson, as if the answers were independent.
    """
    for place, one in enumerate(bins):
        if not one.n:
            continue
        if one.accuracy is None:
            yield Filled(place, one, None, None)
            continue
        low, high = score_interval(one.accuracy, one.n)
        ends = as_shown(low, digits), as_shown(high, digits)
        yield Filled(place, one, as_shown(one.accuracy, digits), ends)


def reliability(bins: Sequence[Bin], digits: int) -> Picture | None:
    """The diagram of equal-width bins, lowest first; None if no bin holds an answer."""
    found = list(filled(bins, digits))
    if not found:
        return None
    most = max(f.bin.n for f in found)
    across, up = axis((0, 1), (LEFT, LEFT + SIDE)), axis((0, 1), (TOP + SIDE, TOP))
    bars = tuple(_bar(f, len(bins), most, (across, up), digits) for f in found)
    return Picture(
        "reliability",
        "reliability",
        "Reliability diagram",
        f"Accuracy with its 95% interval against mean confidence, in {len(found)} bins.",
        Reliability(across, up, bars, most, _gaps(bars), _whiskers(bars)),
        Data(
            ("confidence", "n", "mean confidence", "accuracy", "low", "high", "difference"),
            tuple(_cells(f, len(bins), digits) for f in found),
        ),
    )


def _bar(found: Filled, many: int, most: int, axes: tuple[Axis, Axis], digits: int) -> Bar:
    across, up = axes
    confidence = as_shown(found.bin.confidence, digits)
    return Bar(
        said=_said(found, digits),
        x=across.at(found.place / many),
        width=round(SIDE / many, 1),
        cx=across.at(confidence),
        r=round(2.5 + 4 * math.sqrt(found.bin.n / most), 1),
        level=up.at(confidence),
        top=None if found.accuracy is None else up.at(found.accuracy),
        ends=(up.at(found.ends[0]), up.at(found.ends[1])) if found.ends else None,
        foot=round(TOP + SIDE + GAP + FOOT * (1 - found.bin.n / most), 1),
        depth=round(FOOT * found.bin.n / most, 1),
    )


def _gaps(bars: Sequence[Bar]) -> str:
    return "".join(f"M{b.cx} {b.top}V{b.level}" for b in bars if b.top is not None)


def _whiskers(bars: Sequence[Bar]) -> str:
    """Each interval with a short stroke at both its ends."""
    found = ((b.cx, *b.ends) for b in bars if b.ends)
    return "".join(f"M{x} {a}V{b}m-3 0h6M{x} {a}m-3 0h6" for x, a, b in found)


def _said(found: Filled, digits: int) -> str:
    said = f"n {found.bin.n:,}, mean confidence {shown(found.bin.confidence, digits)}"
    if found.accuracy is None or found.ends is None:
        return f"{said}, accuracy not shown"
    low, high = (shown(end, digits) for end in found.ends)
    return f"{said}, accuracy {shown(found.accuracy, digits)} [{low}, {high}]"


def _range(place: int, many: int) -> str:
    return f"{place / many:g} – {(place + 1) / many:g}"


def _cells(found: Filled, many: int, digits: int) -> tuple[str, ...]:
    one = found.bin
    gap = None if one.accuracy is None else one.confidence - one.accuracy
    low, high = found.ends or (None, None)
    numbers = (one.confidence, found.accuracy, low, high, gap)
    return _range(found.place, many), str(one.n), *(number(v, digits) for v in numbers)


@dataclass(frozen=True, slots=True)
class Column:
    """The right answers of a bin upwards from the line, the wrong ones downwards.

    None where they are not told: then ``all`` stands upwards instead.
    """

    said: str
    x: float
    width: float
    all: float
    right: float | None
    wrong: float | None


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of answers by confidence, on both sides of the line at ``up.at(0)``."""

    across: Axis
    up: Axis
    columns: tuple[Column, ...]
    untold: bool
    width: float = LEFT + SIDE + 12
    height: float = TOP + UP + DOWN + 40

    @property
    def blocks(self) -> Columns:
        """Its columns as they are printed; what is not told is a little narrower."""
        found, line = self.columns, self.up.at(0)
        told = [c.right is not None for c in found]
        edges = [1 if one else 2 for one in told]
        tops = [c.all if c.right is None else c.right for c in found]
        deep = [None if c.wrong is None or c.wrong <= line else c.wrong - line for c in found]
        return (
            told,
            [c.said for c in found],
            places([c.x + edge for c, edge in zip(found, edges, strict=True)]),
            places([c.width - 2 * edge for c, edge in zip(found, edges, strict=True)]),
            places(tops),
            places([line - top for top in tops]),
            places([c.x + 1.7 for c in found]),
            places([c.width - 3.4 for c in found]),
            places([line] * len(found)),
            places(deep),
        )


def histogram(bins: Sequence[Bin], digits: int | None = None) -> Picture | None:
    """How sure the right and the wrong answers are; None if no bin holds an answer.

    bins    lowest first; the accuracy is None where it is not shown
    digits  to which accuracies were rounded before they were shown; None: they are exact
    """
    found = [(i, b, right_of(b, digits)) for i, b in enumerate(bins) if b.n]
    if not found:
        return None
    highest = max(b.n if r is None else r for _, b, r in found)
    deepest = max((b.n - r for _, b, r in found if r is not None), default=0)
    across = axis((0, 1), (LEFT, LEFT + SIDE))
    up = axis((-deepest, max(highest, 1)), (TOP + UP + DOWN, TOP), 0, 7)
    rows = tuple(
        (_range(i, len(bins)), str(b.n), *(("", "") if r is None else (str(r), str(b.n - r))))
        for i, b, r in found
    )
    return Picture(
        "histogram",
        "histogram",
        "Confidence of right and wrong answers",
        f"How many right answers (upwards) and wrong ones (downwards) are in {len(found)} bins of "
        "confidence.",
        Histogram(
            across,
            _whole(up),
            tuple(_column(i, b, r, (len(bins), across, up)) for i, b, r in found),
            any(r is None for *_, r in found),
        ),
        Data(("confidence", "n", "right", "wrong"), rows),
    )


def right_of(one: Bin, digits: int | None) -> int | None:
    """How many answers of a bin are right; None where its accuracy does not say it.

    A rounded accuracy says it where no other count is printed alike.

    >>> right_of(Bin(8, 0.5, 0.375), None), right_of(Bin(8, 0.5, 0.4), 1)
    (3, 3)
    >>> right_of(Bin(80, 0.5, 0.4), 1), right_of(Bin(4, 0.5, None), 1)
    (None, None)
    """
    if one.accuracy is None:
        return None
    right = round(one.n * one.accuracy)
    alike = (as_shown(k / one.n, digits or 0) for k in (right - 1, right + 1) if 0 <= k <= one.n)
    return None if digits is not None and one.accuracy in alike else right


def _whole(up: Axis) -> Axis:
    """The axis with its ticks as counts, downwards as upwards."""
    ticks = ((label.removeprefix("-"), place) for label, place in up.ticks)
    return Axis(up.low, up.high, up.start, up.end, tuple(ticks))


def _column(place: int, one: Bin, right: int | None, on: tuple[int, Axis, Axis]) -> Column:
    many, across, up = on
    told = "not told how many right" if right is None else f"{right} right, {one.n - right} wrong"
    return Column(
        f"confidence {_range(place, many)}: {one.n} answers, {told}",
        across.at(place / many),
        round(SIDE / many, 1),
        up.at(one.n),
        None if right is None else up.at(right),
        None if right is None else up.at(right - one.n),
    )
