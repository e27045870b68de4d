"""Intervals and floors of one run: bootstrap over clusters, and what noise alone would give."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np

from grader.draws import drawn_clusters, multinomial
from grader.ends import basic, percentile, wilson
from grader.floor import (
    EXACT,
    Floor,
    between,
    blocks,
    calibrated,
    distinct,
    enumerated,
    over,
    quantile,
    reclassed,
    smoothed,
)
from grader.gate import NO_RESAMPLES, small, units, unsound
from grader.grouping import FINE, LEVELS, cut, grouped, usual
from grader.means import redrawn, studentised
from grader.model import Cells, FloatArray, Judged, Measure, Score

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

        Of a studentised one what each resample says of the truth: ``means.studentised``. Where
        levels were joined, all are shifted by what joining did to its ``value``.
        """
        if measure.key in self._kept:
            return self._kept[measure.key]
        if measure.needs != "confidence" and measure.sums is not None:
            rng = self.rng("resamples")
            draw = studentised if measure.interval == "studentised" else redrawn
            self._kept[measure.key] = draw(self.judged, measure.sums, self.resamples, rng)
        else:
            found = over(measure, self.drawn)
            if self.grouped is not self.judged.cells:
                joined = float(measure.fn(self.grouped, **measure.params)[0])
                found = np.clip(found + (value - joined), *measure.bounds)
            self._kept[measure.key] = found
        return self._kept[measure.key]

    def floor(self, measure: Measure) -> Floor | None:
        """The floor of a calibration error; None for other measures, or without resamples.

        Exact up to EXACT instances, but for a smooth error and one of classes.
        """
        judged = self.judged
        if measure.gate != "floor" or not len(judged.correct):
            return None
        if len(judged.correct) <= EXACT and measure.key != "smece" and measure.needs != "classes":
            return enumerated(measure, judged)
        if not self.resamples:
            return None
        if measure.key == "ecedistinct" and len(judged.cells.level) > LEVELS:
            return distinct(measure, judged.cells, self.resamples, self.rng("floor"))
        return Floor.of(self.by_chance(measure))

    def by_chance(self, measure: Measure) -> FloatArray:
        """Shape (draws,): a calibration error with outcomes drawn anew, each as it was stated.

        There are ``resamples`` draws, or fewer where each costs much.
        """
        kept = f"floor of {measure.key}"
        if kept not in self._kept:
            self._kept[kept] = self._by_chance(measure)
        return self._kept[kept]

    def _by_chance(self, measure: Measure) -> FloatArray:
        rng = self.rng("floor")
        if measure.by_golds is not None:
            return reclassed(measure, self.judged, self.resamples, rng)
        if measure.key == "smece":  # each draw costs a search for the bandwidth
            return smoothed(measure, self.grouped, self.resamples, rng)
        bins, cells = int(measure.params.get("bins", 1)), self.judged.cells
        if measure.by_cells is not None or (not usual(bins) and len(cells.level) > LEVELS):
            own = cut(cells, bins) if measure.by_cells is not None else grouped(cells, bins)[0]
            many = max(50, min(self.resamples, 10**7 // len(own.level)))
            return over(measure, calibrated(own, many, rng))
        return over(measure, self.calibrated) + between(measure, self.grouped, cells)

    def interval(self, measure: Measure, value: float, floor: Floor | None) -> Interval:
        """The interval of a measure at its value, by the kind that is sound for it."""
        reason = self._refused(measure, value, floor)
        if reason:
            return Interval(None, None, reason)
        if measure.interval == "wilson" and measure.sums is not None:
            return Interval(*wilson(self.judged, measure.sums))
        return _ends(measure, value, self.values(measure, value), units(self.judged))

    def _refused(self, measure: Measure, value: float, floor: Floor | None) -> str:
        if measure.interval == "none" or (measure.needs != "confidence" and not measure.sums):
            return measure.no_interval or "no interval is sound for it"
        if measure.params.get("bins", 0) > FINE:
            return f"with more than {FINE} bins an interval covers too seldom"
        if not self.resamples:
            return NO_RESAMPLES
        if measure.gate == "floor" and floor is not None and value <= floor.q95:
            return "not distinguishable from calibrated at this n"
        return unsound(measure, self.judged)


def mean_floor(measure: Measure, parts: Sequence[Resampler]) -> Floor | None:
    """The floor of an unweighted mean over subsets, whose outcomes are drawn independently.

    Its mean is that of their floors. None where a subset has none.
    """
    floors = [found for part in parts if (found := part.floor(measure)) is not None]
    if len(floors) < len(parts) or not parts or not all(part.resamples for part in parts):
        return None
    each = [part.by_chance(measure) for part in parts]
    draws = min(map(len, each))
    means = np.mean([values[:draws] for values in each], axis=0)
    return Floor(float(np.mean([floor.mean for floor in floors])), quantile(means, 0.95))


def mean_interval(measure: Measure, parts: Sequence[Resampler], each: Sequence[Score]) -> Interval:
    """The interval of an unweighted mean over subsets, each resampled by itself.

    None where one subset has none or is too small, or where clusters reach over subsets.
    """
    clusters = [np.unique(p.judged.cluster) for p in parts]
    if len(np.unique(np.concatenate(clusters))) < sum(map(len, clusters)):
        return Interval(None, None, "clusters reach over several subsets")
    bad = next((s for s in each if s.low is None), None)
    if bad is not None:
        return Interval(None, None, f"{bad.subset}: {bad.no_interval}")
    if why := small(measure, each, [p.judged for p in parts]):
        return Interval(None, None, why)
    found = [float(s.value) for s in each if s.value is not None]
    values = [p.values(measure, v) for p, v in zip(parts, found, strict=True)]
    fewest = min(units(part.judged) for part in parts)
    return _ends(measure, float(np.mean(found)), np.mean(values, axis=0), fewest)


def _ends(measure: Measure, value: float, values: FloatArray, many: int) -> Interval:
    defined = values[~np.isnan(values)]
    left_out = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, "undefined in every resample", left_out)
    # Studentised ones know by themselves that there are few.
    low, high = percentile(defined, None if measure.interval == "studentised" else many)
    if low == high:
        return Interval(None, None, "every resample gives the same value", left_out)
    if measure.interval == "basic":
        low, high = basic(value, low, high)
    return Interval(low, high, "", left_out)


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


def _halves(level: FloatArray, drawn: FloatArray) -> Cells:
    return Cells(level, drawn[:, : len(level)], drawn[:, len(level) :])
