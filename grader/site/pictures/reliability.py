"""The reliability diagram."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.board import shown
from grader.ends import score_interval
from grader.model import Bin
from grader.site.pictures.axes import Axis, Columns, axis, placed
from grader.site.pictures.picture import Data, Picture, as_shown, number

SIDE, LEFT, TOP, FOOT, GAP = 240.0, 44.0, 10.0, 44.0, 34.0


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
            *placed(
                [b.x + 1 for b in bars],
                [b.width - 2 for b in bars],
                [b.top for b in bars],
                [None if b.top is None else floor - b.top for b in bars],
                [b.foot for b in bars],
                [b.depth for b in bars],
            ),
        )

    @property
    def points(self) -> Columns:
        """The points as they are printed, and what can be pointed at."""
        bars = self.bars
        return (
            *placed(
                [b.x for b in bars],
                [b.width for b in bars],
                [b.cx for b in bars],
                [b.top for b in bars],
                [b.r for b in bars],
            ),
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


def span_of(place: int, many: int) -> str:
    """The confidences of a bin, by its place among ``many``."""
    return f"{place / many:g} – {(place + 1) / many:g}"


def _cells(found: Filled, many: int, digits: int) -> tuple[str, ...]:
    one = found.bin
    gap = None if one.accuracy is None else one.confidence - one.accuracy
    low, high = found.ends or (None, None)
    numbers = (one.confidence, found.accuracy, low, high, gap)
    return span_of(found.place, many), str(one.n), *(number(v, digits) for v in numbers)
