"""Confidence and right answers added up from the least sure on: their largest gap is KS."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from grader.board import shown, shown_each
from grader.model import Rung, Selective
from grader.site.pictures.axes import Axis, Columns, axis, line, placed, window
from grader.site.pictures.picture import Data, Picture, as_shown

LEFT, WIDE, TOP, TALL, BELOW, GAP = 46.0, 280.0, 12.0, 150.0, 84.0, 26.0


@dataclass(frozen=True, slots=True)
class Sum:
    """The ``n`` least sure answers, and what they add up to, as shares of all answers."""

    n: int
    share: float
    confidence: float
    right: float

    @property
    def gap(self) -> float:
        return self.confidence - self.right


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Two curves over ``up``, and below them their gap over ``off``, with the band of noise.

    ``widest`` is where the largest drawn gap stands: its place, and both its ends below.
    """

    across: Axis
    up: Axis
    off: Axis
    confidence: str
    right: str
    gap: str
    dots: tuple[tuple[str, float, float], ...]
    widest: tuple[float, float, float]
    band: tuple[float, float] | None
    largest: str
    width: float = LEFT + WIDE + 14
    height: float = TOP + TALL + GAP + BELOW + 36

    @property
    def points(self) -> Columns:
        """Its points as they are printed."""
        said, xs, ys = zip(*self.dots, strict=True)
        return said, *placed(xs, ys)


def sums(found: Selective, digits: int) -> tuple[Sum, ...]:
    """The cumulative sums at the points of a curve, the fewest answers first.

    They are read from the end of the curve, at the decimals that are shown.
    """
    if not found.points:
        return ()
    whole, n = found.points[-1], found.n
    rest = [(n - p.kept, whole.sure - p.sure, whole.right - p.right) for p in found.points]
    rest.append((n, whole.sure, whole.right))
    many, sure, right = zip(*sorted(rest), strict=True)
    # What rounded accuracies amount to may fall, a count of right answers never does.
    return tuple(
        Sum(k, k / n, as_shown(confidence / n, digits), as_shown(up / n, digits))
        for k, confidence, up in zip(many, sure, accumulate(right, max), strict=True)
    )


def cumulative(found: Selective, ladder: Sequence[Rung], digits: int) -> Picture | None:
    """The curves of a run beside its KS; None if no point of them is shown."""
    each = sums(found, digits)
    ks = next((r for r in ladder if r.measure == "ks"), None)
    if not each or ks is None:
        return None
    across = axis((0, 1), (LEFT, LEFT + WIDE))
    most = max(max(s.confidence, s.right) for s in each)
    up = axis(window([0, most], (0, 1), 0.1), (TOP + TALL, TOP), digits, 5)
    noise = 0.0 if ks.q95 is None else as_shown(ks.q95, digits)
    reach = max(*(abs(s.gap) for s in each), noise, as_shown(ks.value, digits), 0.01) * 1.1
    start = TOP + TALL + GAP
    off = axis((-reach, reach), (start + BELOW, start), digits, 5)
    widest = max(each, key=lambda s: abs(s.gap))
    xs, ys = [across.at(s.share) for s in each], [off.at(s.gap) for s in each]
    rows = tuple(_rows(each, digits))
    return Picture(
        "cumulative",
        "cumulative",
        "Cumulative confidence and right answers",
        f"Confidence and right answers added up from the least sure answer on, at {len(each)} "
        f"places, and their gap; the largest gap of all, KS, is {shown(ks.value, digits)}.",
        Cumulative(
            across,
            up,
            off,
            line((x, up.at(s.confidence)) for x, s in zip(xs, each, strict=True)),
            line((x, up.at(s.right)) for x, s in zip(xs, each, strict=True)),
            line(zip(xs, ys, strict=True)),
            tuple(zip(map(_said, each, rows), xs, ys, strict=True)),
            (across.at(widest.share), off.at(0), off.at(widest.gap)),
            (off.at(noise), off.at(-noise)) if noise else None,
            shown(ks.value, digits),
        ),
        Data(
            ("answers", "share", "confidence", "right", "gap"),
            rows,
        ),
    )


def _rows(each: Sequence[Sum], digits: int) -> Iterator[tuple[str, ...]]:
    """The rows of the data."""
    shares, sures = [s.share for s in each], [s.confidence for s in each]
    columns = shares, sures, [s.right for s in each], [s.gap for s in each]
    texts = (shown_each(column, digits) for column in columns)
    return zip([str(s.n) for s in each], *texts, strict=True)


def _said(one: Sum, row: Sequence[str]) -> str:
    _, _, confidence, right, gap = row
    return f"the {one.n:,} least sure: confidence {confidence}, right {right}, gap {gap}"
