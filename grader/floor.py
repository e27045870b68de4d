"""What noise alone would give: calibration errors of a run whose confidences are all honest."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from grader.model import Cells, Classes, FloatArray, IntArray, Judged, Measure

EXACT = 10  # instances up to which a floor is found by enumeration
_BLOCK = 2**15  # entries computed at once: they stay in the processor's cache
_DRAWN = 5 * 10**7  # outcomes drawn in all where each instance is drawn by itself
SMOOTH_DRAWS = 100  # draws of a smooth error's floor at most
_POINTS, _SPAN = 1024, 8  # read there, a smoothing that spans so many is 0.2% off at most
_LEAST = 100  # draws of these at least
_Z95 = 1.6448536269514722  # the 95% quantile of the normal distribution
_MANY = 100  # terms of equal weight from which a sum is as good as normal


@dataclass(frozen=True)
class Floor:
    """What a perfectly calibrated run with these confidences would score by noise alone."""

    mean: float
    q95: float

    @classmethod
    def of(cls, values: FloatArray) -> "Floor":
        """The floor that simulated values show."""
        return cls(float(values.mean()), quantile(values, 0.95))


def blocks(resamples: int, wide: int) -> Iterator[int]:
    """Yield how many resamples of ``wide`` cells are computed at once, until all are."""
    most = max(1, _BLOCK // max(wide, 1))
    for start in range(0, resamples, most):
        yield min(most, resamples - start)


def over(measure: Measure, resamples: Iterable[Cells]) -> FloatArray:
    """Shape (resamples,): the measure in each, NaN where it is undefined."""
    fn = measure.by_cells or measure.fn
    return np.concatenate([fn(cells, **measure.params) for cells in resamples])


def quantile(values: FloatArray, share: float) -> float:
    """The inverse of the empirical distribution: the least value that enough values reach."""
    return float(np.quantile(values, share, method="inverted_cdf"))


def calibrated(cells: Cells, resamples: int, rng: np.random.Generator) -> Iterator[Cells]:
    """Yield blocks of the run with outcomes drawn anew, each right as often as it was sure."""
    size, chance = cells.size[0].astype(np.int64), np.clip(cells.level, 0, 1)
    more = np.flatnonzero(size > 1)
    most_single = 2 * len(more) < len(size)
    for rows in blocks(resamples, len(size)):
        if most_single:
            right = (rng.random((rows, len(size))) < chance).astype(np.float64)
            each = size[more, None], chance[more, None], (len(more), rows)
            right[:, more] = rng.binomial(*each).T
        else:  # a cell after the other: the sampler prepares itself once for each
            drawn = rng.binomial(size[:, None], chance[:, None], (len(size), rows))
            right = np.ascontiguousarray(drawn.T, dtype=np.float64)
        yield Cells(cells.level, right, cells.size - right)


def between(measure: Measure, joined: Cells, cells: Cells) -> float:
    """What the floor of KS lacks where levels were joined: distances between the ends of groups.

    0 for other measures, and where nothing was joined.

    The largest value of a random walk that is read at m even steps lies below that of the path
    by 0.5826 standard deviations of a step, -zeta(1/2)/sqrt(2 pi) (Broadie, Glasserman and Kou,
    1997); the run itself is read at n steps.
    """
    if measure.key != "ks" or len(joined.level) == len(cells.level):
        return 0.0
    n = float(cells.n[0])
    spread = float(np.sqrt(cells.size[0] @ (cells.level - np.square(cells.level)))) / n
    return 0.5826 * spread * (1 / math.sqrt(len(joined.level)) - 1 / math.sqrt(n))


def enumerated(measure: Measure, judged: Judged) -> Floor:
    """The floor by every outcome of every instance, weighted by its probability."""
    run = _sorted(judged)
    level = run.confidence
    right = np.array(list(product((0.0, 1.0), repeat=len(level))))
    chance = np.prod(np.where(right == 1, level, 1 - level), axis=1)
    if measure.by_cells is not None:
        each = Cells(level, right, 1.0 - right, tied=False)
        values = measure.by_cells(each, **measure.params)
    else:
        values = measure.fn(_tied(level, right), **measure.params)
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(chance[order]) >= 0.95 - 1e-12
    return Floor(float(values @ chance), float(values[order][np.argmax(reached)]))


def _tied(level: FloatArray, right: FloatArray) -> Cells:
    """Cells of instances in ascending order of confidence, equal ones joined."""
    starts = np.flatnonzero(np.diff(level, prepend=-1.0))
    ones = np.add.reduceat(right, starts, axis=1)
    size = np.diff(np.append(starts, len(level)))
    return Cells(level[starts], ones, size - ones)


def reclassed(
    measure: Measure, judged: Judged, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Shape (draws,): a measure of classes, with gold classes drawn anew.

    One class for an instance, by the run's probabilities. There are fewer draws, but _LEAST,
    where instances are many.
    """
    run = _sorted(judged)
    if measure.by_golds is None or run.classes is None:
        raise ValueError(f"{measure.key} is no measure of classes")
    draws = min(resamples, max(_LEAST, _DRAWN // run.classes.probabilities.size))
    golds = _golds(run.classes, draws, rng)
    return np.asarray(measure.by_golds(run, golds, **measure.params))


def _sorted(judged: Judged) -> Judged:
    """The instances by what is stated of them: what is drawn does not depend on gold order."""
    if judged.classes is None:
        return judged.part(np.argsort(judged.confidence, kind="stable"))
    stated = np.nan_to_num(judged.classes.probabilities)
    return judged.part(np.lexsort((*stated.T, judged.confidence)))


def _golds(classes: Classes, draws: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield blocks of shape (B, n): a class, drawn by the probabilities of the instance's classes.

    What is missing to 1 goes to no class (−1); probabilities that add up to more are divided by
    their sum.
    """
    reach = np.ascontiguousarray(np.cumsum(np.nan_to_num(classes.probabilities.T), axis=0))
    reach /= np.maximum(reach[-1], 1.0)
    small = np.min_scalar_type(len(reach))  # counting in bytes, class after class, is fastest
    for rows in blocks(draws, reach.shape[1]):
        sure = rng.random((rows, reach.shape[1]))
        chosen = np.zeros(sure.shape, dtype=small)
        for last in reach:
            chosen += sure >= last
        yield np.where(chosen < len(reach), chosen.astype(np.intp), -1)


def smoothed(
    measure: Measure, cells: Cells, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Shape (draws,): a smooth error with outcomes drawn anew.

    There are SMOOTH_DRAWS draws at most: each finds a bandwidth of its own. They are read at fewer
    points where the first one's bandwidth, which is its error, spans _SPAN of these.
    """
    drawn = tuple(calibrated(cells, min(resamples, SMOOTH_DRAWS), rng))
    first = Cells(cells.level, drawn[0].right[:1], drawn[0].wrong[:1])
    wide = float(measure.fn(first)[0]) * _POINTS >= _SPAN
    return over(replace(measure, params={"points": _POINTS} if wide else {}), drawn)


def distinct(measure: Measure, cells: Cells, resamples: int, rng: np.random.Generator) -> Floor:
    """The floor of the error with one bin for each of many distinct confidences.

    It is a sum of independent terms, one a level: its mean and variance are exact, its quantile
    is that of the normal distribution. Simulated where a few levels make up the variance.
    """
    centre, variance, largest = _deviation(cells.size[0], cells.level)
    if largest * _MANY > variance:
        draws = max(50, min(resamples, 10**7 // len(cells.level)))
        values = over(measure, calibrated(cells, draws, rng))
        return Floor(float(values.mean()), quantile(values, 0.95))
    n = float(cells.n[0])
    return Floor(centre / n, (centre + _Z95 * variance**0.5) / n)


def _deviation(size: FloatArray, chance: FloatArray) -> tuple[float, float, float]:
    """Of the sum of all abs(binomial − its mean): mean, variance, and the variance of a term.

    The last is the largest term's, or above it. De Moivre's closed form of the mean.
    """
    spread = chance - np.square(chance)
    if size.max() == 1:
        total = float(spread.sum())
        return 2 * total, total - 4 * float(np.einsum("k,k", spread, spread)), 1 / 16
    inside = np.clip(chance, 1e-300, 1 - 2.0**-53)
    above = np.floor(size * inside) + 1.0
    ways = _log_factorial(size) - _log_factorial(above) - _log_factorial(size - above)
    ways += above * np.log(inside) + (size - above + 1.0) * np.log1p(-inside)
    mean = np.where(spread > 0, 2.0 * above * np.exp(ways), 0.0)
    variance = np.maximum(size * spread - np.square(mean), 0.0)
    return float(mean.sum()), float(variance.sum()), float(variance.max())


_EXACT_LOGS = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, 65)))))


def _log_factorial(k: FloatArray) -> FloatArray:
    """The natural logarithm of k!, of whole numbers ≥ 0: summed up to 64, then Stirling's series.

    >>> bool(abs(_log_factorial(np.array([100.0])) - 363.73937555556349) < 1e-11)
    True
    """
    large = np.maximum(k, 64.0)
    series = (large + 0.5) * np.log(large) - large + 0.5 * np.log(2 * np.pi)
    series += (1 / 12 - 1 / (360 * np.square(large))) / large
    few = _EXACT_LOGS[np.clip(k, 0, 64).astype(np.intp)]
    return np.where(k <= 64, few, series)
