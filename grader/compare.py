"""Runs against each other: paired differences, and the whole board at once."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from grader.floor import quantile
from grader.model import (
    Cells,
    Comparison,
    FloatArray,
    IntArray,
    Judged,
    Measure,
    Pair,
    Sums,
    Undefined,
)
from grader.resample import SIDES, drawn_clusters

_ENTRIES = 10**7  # weights drawn at once


def clusters(judged: Judged) -> IntArray:
    """Shape (n,): the cluster of each instance, numbered from 0; without clusters its own."""
    if not judged.cluster.size:
        return np.arange(len(judged.correct))
    return np.unique(judged.cluster, return_inverse=True)[1]


def weights(many: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how often each cluster is drawn, shared by all runs: blocks of shape (rows, many)."""
    rng = np.random.default_rng([seed, many])
    most = max(1, _ENTRIES // many)
    for start in range(0, resamples, most):
        yield drawn_clusters(many, min(most, resamples - start), rng)


def totals_of(runs: Sequence[Judged], sums: Sums, cluster: IntArray) -> FloatArray:
    """Shape (runs, clusters, k): the sums of the features in each cluster."""
    many = int(cluster.max()) + 1
    found = []
    for judged in runs:
        features = sums.features(judged)
        if many < len(features) or judged.cluster.size:
            features = np.stack([np.bincount(cluster, f, many) for f in features.T], axis=1)
        found.append(features)
    return np.array(found)


def gated(judged: Judged) -> str:
    """Why a run's reward cannot be compared; empty if it can."""
    right = int(judged.correct.sum())
    wrong = len(judged.correct) - right
    enough = min(right, wrong) >= SIDES
    return "" if enough else f"{right} right and {wrong} wrong answers; {SIDES} of each are needed"


def compare(
    runs: Sequence[Judged], measure: Measure, resamples: int, seed: int, level: float = 0.95
) -> Comparison:
    """All pairs of runs on the same instances, by bootstrap max-|t|.

    The standard error of each difference is found anew in each resample by linearisation. Runs
    under the gate are left out; identical runs are never separable.

    runs     on the same instances in the same order
    measure  one that has ``sums``
    """
    if measure.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    reasons = [gated(r) if measure.gate == "both sides" else "" for r in runs]
    kept = [i for i, reason in enumerate(reasons) if not reason]
    values = np.array([value_of(measure, r) for r in runs])
    if len(kept) < 2 or not resamples:
        none = "" if resamples else "the task asks for no resamples"
        pairs = tuple(
            Pair(a, b, float(values[a] - values[b]), None, None, None, why)
            for a, b in combinations(range(len(runs)), 2)
            for why in [reasons[a] or reasons[b] or none]
        )
        return Comparison(pairs, (None,) * len(runs), resamples, None)
    cluster = clusters(runs[0])
    totals = totals_of([runs[i] for i in kept], measure.sums, cluster)
    theta, error = estimates(totals, measure.sums)
    largest = largest_t(
        totals, measure.sums, (theta, error), weights(totals.shape[1], resamples, seed)
    )
    critical = _critical(largest, level)
    pairs = _pairs(values, reasons, kept, (error, largest, critical))
    return Comparison(pairs, _ranks(pairs, len(runs), kept, measure), resamples, critical)


def _critical(largest: FloatArray, level: float) -> float:
    """The |t| from which on the adjusted p is at most 1 − level, so that both say the same."""
    place = math.ceil(level * (len(largest) + 1) - 1e-9)
    return float(np.sort(largest)[place - 1]) if place <= len(largest) else math.inf


def estimates(totals: FloatArray, sums: Sums) -> tuple[FloatArray, FloatArray]:
    """Each run's value, shape (runs,), and the standard error of each difference."""
    whole = totals.sum(axis=1)
    influence = np.einsum("rgk,rk->gr", totals, sums.gradient(whole))
    return np.asarray(sums.value(whole)), _errors(influence.T @ influence)


def _errors(gram: FloatArray) -> FloatArray:
    """Shape (runs, runs): the standard errors of the differences, from the products."""
    own = np.diagonal(gram)
    variance = own[:, None] + own[None, :] - 2 * gram
    tiny = 1e-12 * (own[:, None] + own[None, :])  # what is left of identical runs is rounding
    return np.sqrt(np.where(variance > tiny, variance, 0.0))


def largest_t(
    totals: FloatArray,
    sums: Sums,
    point: tuple[FloatArray, FloatArray],
    drawn: Iterable[FloatArray],
) -> FloatArray:
    """Shape (resamples,): the largest |t| of any pair in each resample."""
    theta, error = point
    runs, many, k = totals.shape
    apart = np.triu(error > 0, 1)
    by_feature = np.ascontiguousarray(totals.transpose(0, 2, 1))
    flat = totals.transpose(1, 0, 2).reshape(many, runs * k)
    influence = np.empty((runs, 1, many))
    found = []
    for weight in drawn:
        whole = (weight @ flat).reshape(-1, runs, k)
        with np.errstate(divide="ignore", invalid="ignore"):
            moved, slope = np.asarray(sums.value(whole)) - theta, sums.gradient(whole)
        for shift, by, root in zip(moved, slope, np.sqrt(weight), strict=True):
            np.matmul(by[:, None, :], by_feature, out=influence)
            influence *= root
            spread = _errors(influence[:, 0] @ influence[:, 0].T)
            gap = np.abs(shift[:, None] - shift)
            ok = apart & (spread > 0) & np.isfinite(gap) & np.isfinite(spread)
            found.append((gap[ok] / spread[ok]).max(initial=0.0))
    return np.array(found)


def _pairs(
    values: FloatArray,
    reasons: Sequence[str],
    kept: Sequence[int],
    board: tuple[FloatArray, FloatArray, float],
) -> tuple[Pair, ...]:
    error, largest, critical = board
    place = {run: i for i, run in enumerate(kept)}
    found = []
    for a, b in combinations(range(len(values)), 2):
        difference = float(values[a] - values[b])
        if reasons[a] or reasons[b]:
            found.append(Pair(a, b, difference, None, None, None, reasons[a] or reasons[b]))
            continue
        one = float(error[place[a], place[b]])
        if one == 0:
            found.append(_without_error(a, b, difference))
            continue
        p = (1 + np.count_nonzero(largest >= abs(difference) / one)) / (1 + len(largest))
        low, high = difference - critical * one, difference + critical * one
        found.append(Pair(a, b, difference, low, high, float(p)))
    return tuple(found)


def _without_error(a: int, b: int, difference: float) -> Pair:
    """A difference that no instance deviates from: there is no noise to weigh it against."""
    if abs(difference) < 1e-12:
        return Pair(a, b, 0.0, None, None, 1.0, "the two do not differ in this")
    why = "the difference is the same in every instance: there is no noise to weigh it against"
    return Pair(a, b, difference, None, None, None, why)


def value_of(measure: Measure, run: Judged) -> float:
    """The value of a measure on a run; of a macro that of its sums.

    raises  Undefined
    """
    if measure.sums is None or not measure.dimension:
        return measure(run).value
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(measure.sums.value(measure.sums.features(run).sum(axis=0)))
    if not np.isfinite(value):
        raise Undefined(f"a subset of {measure.dimension} has too few of these instances")
    return value


def _ranks(
    pairs: Sequence[Pair], runs: int, kept: Sequence[int], measure: Measure
) -> tuple[tuple[int, int] | None, ...]:
    """For each run: 1 + the runs surely better, and all but the runs surely worse."""
    better, worse = np.zeros(runs, int), np.zeros(runs, int)
    sign = -1 if measure.better == "lower" else 1
    for pair in pairs:
        if pair.low is None or pair.high is None or pair.low <= 0 <= pair.high:
            continue
        first, second = (pair.a, pair.b) if sign * pair.difference > 0 else (pair.b, pair.a)
        better[second] += 1
        worse[first] += 1
    # A run that is not compared may stand anywhere.
    return tuple(
        (1 + int(better[r]), runs - int(worse[r])) if r in kept else None for r in range(runs)
    )


def difference(
    a: Judged, b: Judged, measure: Measure, resamples: int, seed: int
) -> tuple[float, float] | None:
    """The 95% percentile interval of a difference, for any measure on cells; None if undefined."""
    cluster = clusters(a)
    found = []
    for rows in weights(int(cluster.max()) + 1, resamples, seed):
        drawn = rows[:, cluster]
        one, two = (measure.fn(_weighed(j, drawn), **measure.params) for j in (a, b))
        found.append(one - two)
    values = np.concatenate(found)
    values = values[np.isfinite(values)]
    return (quantile(values, 0.025), quantile(values, 0.975)) if len(values) else None


def _weighed(judged: Judged, weight: FloatArray) -> Cells:
    """The run with each instance as often as its weight says: shape (B, n)."""
    order = np.argsort(judged.confidence, kind="stable")
    level = judged.confidence[order]
    starts = np.flatnonzero(np.diff(level, prepend=-1.0))
    sorted_ = weight[:, order]
    right = np.add.reduceat(sorted_ * judged.correct[order], starts, axis=1)
    return Cells(level[starts], right, np.add.reduceat(sorted_, starts, axis=1) - right)


def macro_sums(inner: Sums, codes: IntArray, many: int) -> Sums:
    """The unweighted mean of a measure over subsets, as a function of the sums in each.

    codes  shape (n,): the subset of each instance, from 0, or −1 for none
    """
    inside = codes[:, None] == np.arange(many)

    def features(judged: Judged) -> FloatArray:
        each = inner.features(judged)
        return np.asarray((each[:, None, :] * inside[:, :, None]).reshape(len(each), -1))

    def value(sums: FloatArray) -> FloatArray:
        apart = sums.reshape(*sums.shape[:-1], many, -1)
        return np.asarray(inner.value(apart).mean(axis=-1))

    return Sums(features, value)
