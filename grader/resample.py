"""Intervals and floors of one run: bootstrap over clusters, and what noise alone would give."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np

from grader.draws import multinomial
from grader.floor import EXACT, Floor, blocks, calibrated, distinct, enumerated, over, quantile
from grader.means import redrawn
from grader.model import Cells, FloatArray, IntArray, Judged, Measure, Score

SMOOTH_DRAWS = 100  # draws of a smooth error's floor: each finds a bandwidth of its own
LEVELS = 512  # distinct confidences up to which nothing is joined: 1,024 pairs with the outcome
MARKS = 120  # groups of equal mass that more of them are joined into, cut at the usual bins' edges
USUAL = (15, 20)  # numbers of equal-width bins whose edges no group crosses, nor their divisors'
FINE = 20  # bins up to which there are intervals
SIDES = 10  # right and wrong answers below which an interval of a reward covers too seldom
_DENSE = 2 * 10**7  # entries of a matrix of clusters and cells that is multiplied whole


@dataclass(frozen=True)
class Interval:
    """A 95% interval, or the reason why there is none; ``left_out`` resamples were undefined."""

    low: float | None
    high: float | None
    reason: str = ""
    left_out: int = 0


@dataclass(frozen=True)
class Resampler:
    """The resamples of one set of instances, drawn once and shared by all measures.

    ``part`` names the set (``all`` or a subset): the same seed and part draw the same.
    """

    judged: Judged
    resamples: int
    seed: int
    part: str = "all"
    _kept: dict[str, FloatArray] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def rng(self, what: str) -> np.random.Generator:
        """The seeded source of what is drawn for this set of instances."""
        return np.random.default_rng([self.seed, crc32(self.part.encode()), crc32(what.encode())])

    @cached_property
    def grouped(self) -> Cells:
        """The run with about MARKS levels, where it has more than LEVELS."""
        return grouped(self.judged.cells)[0]

    @cached_property
    def drawn(self) -> tuple[Cells, ...]:
        """The run in every resample, a block after the other.

        Instances are drawn anew, or whole clusters of them: an instance then weighs as often as
        its cluster.
        """
        rng = self.rng("resamples")
        if self.judged.cluster.size:
            return tuple(_clustered(self.judged, self.resamples, rng))
        cells, many = self.grouped, len(self.grouped.level)
        counts = np.concatenate((cells.right[0], cells.wrong[0]))
        kept = np.flatnonzero(counts)
        found = []
        for rows in blocks(self.resamples, many):
            drawn = np.zeros((rows, 2 * many))
            drawn[:, kept] = multinomial(counts[kept], rows, rng)
            found.append(_halves(cells.level, drawn))
        return tuple(found)

    @cached_property
    def calibrated(self) -> tuple[Cells, ...]:
        """The run with outcomes drawn anew, each right with the probability it was given."""
        return tuple(calibrated(self.grouped, self.resamples, self.rng("floor")))

    def free(self) -> None:
        """Forget the resamples and the sorted cells: values found from them are kept."""
        for name in ("grouped", "drawn", "calibrated"):
            self.__dict__.pop(name, None)
        self.judged.__dict__.pop("cells", None)

    def values(self, measure: Measure, value: float) -> FloatArray:
        """Shape (resamples,): the measure in each resample, NaN where it is undefined.

        Where levels were joined, all are shifted by what joining did to its ``value``.
        """
        if measure.key in self._kept:
            return self._kept[measure.key]
        if measure.needs != "confidence" and measure.sums is not None:
            rng = self.rng("resamples")
            self._kept[measure.key] = redrawn(self.judged, measure.sums, self.resamples, rng)
        else:
            found = over(measure, self.drawn)
            if self.grouped is not self.judged.cells:
                joined = float(measure.fn(self.grouped, **measure.params)[0])
                found = np.clip(found + (value - joined), *measure.bounds)
            self._kept[measure.key] = found
        return self._kept[measure.key]

    def floor(self, measure: Measure) -> Floor | None:
        """The floor of a calibration error; None for other measures, or without resamples."""
        if measure.gate != "floor" or not len(self.judged.correct):
            return None
        cells = self.judged.cells
        if len(self.judged.correct) <= EXACT and measure.key != "smece":
            return enumerated(measure, cells)
        if not self.resamples:
            return None
        if measure.key == "ecedistinct" and len(cells.level) > LEVELS:
            return distinct(measure, cells, self.resamples, self.rng("floor"))
        if measure.key == "smece":  # each draw costs a search for the bandwidth
            few = min(self.resamples, SMOOTH_DRAWS)
            drawn = calibrated(self.grouped, few, self.rng("floor"))
            return Floor.of(over(measure, drawn))
        bins = int(measure.params.get("bins", 0))
        if bins > FINE and len(cells.level) > LEVELS:
            own = grouped(cells, bins)[0]
            many = max(50, min(self.resamples, 10**7 // len(own.level)))
            values = over(measure, calibrated(own, many, self.rng("floor")))
        else:
            values = over(measure, self.calibrated)
        return Floor.of(values)

    def interval(self, measure: Measure, value: float, floor: Floor | None) -> Interval:
        """The interval of a measure at its value, by the kind that is sound for it."""
        reason = self._refused(measure, value, floor)
        if reason:
            return Interval(None, None, reason)
        return _ends(measure, value, self.values(measure, value))

    def _refused(self, measure: Measure, value: float, floor: Floor | None) -> str:
        if measure.interval == "none" or (measure.needs != "confidence" and not measure.sums):
            return measure.no_interval or "no interval is sound for it"
        if measure.params.get("bins", 0) > FINE:
            return f"with more than {FINE} bins an interval covers too seldom"
        if not self.resamples:
            return "the task asks for no resamples"
        if measure.gate == "both sides":
            right = int(self.judged.correct.sum())
            wrong = len(self.judged.correct) - right
            if min(right, wrong) < SIDES:
                return f"{right} right and {wrong} wrong answers; {SIDES} of each are needed"
        if measure.gate == "floor" and floor is not None and value <= floor.q95:
            return f"not distinguishable from calibrated at this n (below {floor.q95:.4f})"
        return ""


def mean_interval(measure: Measure, parts: Sequence[Resampler], each: Sequence[Score]) -> Interval:
    """The interval of an unweighted mean over subsets, each resampled by itself.

    None where one subset has none, or where clusters reach over subsets.
    """
    clusters = [np.unique(p.judged.cluster) for p in parts]
    if len(np.unique(np.concatenate(clusters))) < sum(map(len, clusters)):
        return Interval(None, None, "clusters reach over several subsets")
    bad = next((s for s in each if s.low is None), None)
    if bad is not None:
        return Interval(None, None, f"{bad.subset}: {bad.no_interval}")
    found = [float(s.value) for s in each if s.value is not None]
    values = [p.values(measure, v) for p, v in zip(parts, found, strict=True)]
    return _ends(measure, float(np.mean(found)), np.mean(values, axis=0))


def _ends(measure: Measure, value: float, values: FloatArray) -> Interval:
    defined = values[~np.isnan(values)]
    left_out = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, "undefined in every resample", left_out)
    low, high = quantile(defined, 0.025), quantile(defined, 0.975)
    if low == high:
        return Interval(None, None, "every resample gives the same value", left_out)
    if measure.interval == "basic":
        low, high = basic(value, low, high)
    return Interval(low, high, "", left_out)


def basic(value: float, low: float, high: float) -> tuple[float, float]:
    """2·value − quantile, cut at 0 and widened to hold the value."""
    return min(max(2 * value - high, 0.0), value), max(2 * value - low, value)


def grouped(cells: Cells, bins: int = FINE) -> tuple[Cells, IntArray]:
    """Neighbouring levels joined where there are more than LEVELS, and the group of each level.

    A group's level is the mean of its instances' confidences. No group crosses an edge of the
    USUAL numbers of equal-width bins, or of MARKS equal-mass ones, or of their divisors; with
    more than FINE ``bins`` of those alone.
    """
    if len(cells.level) <= LEVELS:
        return cells, np.arange(len(cells.level))
    place = cells.place[0]
    widths = USUAL if bins <= FINE else (bins,)
    edges = np.unique(np.concatenate([np.arange(m + 1) / m for m in widths]))
    cuts = np.unique(np.searchsorted(cells.level, edges, side="right"))
    marks = bins if bins > FINE else MARKS
    ends = np.searchsorted(place, np.arange(marks + 1) * (cells.n[0] / marks) - 1e-6)
    starts = np.unique(np.concatenate(([0], cuts, ends)))
    starts = starts[starts < len(cells.level)]
    sure = cells.size[0] * cells.level if cells.tied else cells.level
    right, wrong, sure = (
        np.add.reduceat(x, starts) for x in (cells.right[0], cells.wrong[0], sure)
    )
    after = np.append(starts[1:], len(cells.level))
    # Rounding must not put a group of one level beyond an edge that the level is on.
    level = np.clip(sure / (right + wrong), cells.level[starts], cells.level[after - 1])
    of = np.repeat(np.arange(len(starts)), after - starts)
    return Cells(level, right[None, :], wrong[None, :]), of


def _clustered(judged: Judged, resamples: int, rng: np.random.Generator) -> Iterator[Cells]:
    """Yield blocks of resamples of whole clusters; an instance weighs as often as its cluster."""
    cells, of = grouped(judged.cells)
    at = of[np.searchsorted(judged.cells.level, judged.confidence)]
    names, cluster = np.unique(judged.cluster, return_inverse=True)
    many, wide = len(names), 2 * len(cells.level)
    column = np.where(judged.correct, at, at + len(cells.level))
    full = many * wide <= min(_DENSE, 5 * len(at))  # few of the counts are 0
    counts = None
    if full:
        counts = np.bincount(cluster * wide + column, minlength=many * wide).astype(np.float64)
    drawn: FloatArray
    for rows in blocks(resamples, max(wide, len(at) if counts is None else many)):
        weight = drawn_clusters(many, rows, rng)
        if counts is None:
            place = np.arange(rows)[:, None] * wide + column
            each = weight[:, cluster].ravel()
            drawn = np.bincount(place.ravel(), each, rows * wide).astype(np.float64)
        else:
            drawn = (weight @ counts.reshape(many, wide)).ravel()
        yield _halves(cells.level, drawn.reshape(rows, wide))


def drawn_clusters(many: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples, many): how often each of ``many`` clusters is drawn, ``many`` times."""
    rows = (rng.integers(many, size=many) for _ in range(resamples))
    return np.array([np.bincount(row, minlength=many) for row in rows], dtype=np.float64)


def _halves(level: FloatArray, drawn: FloatArray) -> Cells:
    return Cells(level, drawn[:, : len(level)], drawn[:, len(level) :])
