"""What stands in the bins of confidence: how many answers are right, how many wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Bin
from grader.site.pictures.axes import Axis, Columns, axis, placed
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.reliability import LEFT, SIDE, span_of

TOP = 18.0
UP, DOWN = 120.0, 60.0  # the most that right answers, or wrong ones, may take


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
            *placed(
                [c.x + edge for c, edge in zip(found, edges, strict=True)],
                [c.width - 2 * edge for c, edge in zip(found, edges, strict=True)],
                tops,
                [line - top for top in tops],
                [c.x + 1.7 for c in found],
                [c.width - 3.4 for c in found],
                [line] * len(found),
                deep,
            ),
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
        (span_of(i, len(bins)), str(b.n), *(("", "") if r is None else (str(r), str(b.n - r))))
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
        f"confidence {span_of(place, many)}: {one.n} answers, {told}",
        across.at(place / many),
        round(SIDE / many, 1),
        up.at(one.n),
        None if right is None else up.at(right),
        None if right is None else up.at(right - one.n),
    )
