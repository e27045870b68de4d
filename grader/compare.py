"""Runs against each other: the whole board at once, by the bootstrap of the largest |t|."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import numpy as np

from grader.draws import drawn_clusters
from grader.gate import NO_RESAMPLES, incomparable
from grader.largest import largest_t, standard_errors
from grader.measures import within
from grader.model import (
    Comparison,
    FloatArray,
    IntArray,
    Judged,
    Measure,
    Pair,
    Sums,
    Undefined,
)
from grader.unjudged import NOT_JUDGED

LEVEL = 0.95
DIFFERENT = 10  # clusters that two runs must differ in: of fewer, many a resample holds none
_ENTRIES = 10**7  # weights drawn at once
_LOOK = 64  # clusters in which most pairs of runs differ often enough
ENDLESS = "in more than 5% of the resamples noise alone goes beyond any bound"
FEW = f"the two differ in fewer than {DIFFERENT} instances or clusters of them"
SAME = "the two do not differ in this"
CONSTANT = "the difference is the same in every instance: there is no noise to weigh it against"


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


def gated(measure: Measure, run: Judged) -> str:
    """Why resampling says nothing sound of a run, as a whole or in a part; empty if it does."""
    if not measure.parts:
        return incomparable(measure, run)
    inner = within(measure)
    whys = ((name, incomparable(inner, run.part(at))) for name, at in measure.parts)
    return next((f"{name}: {why}" for name, why in whys if why), "")


def standing(measure: Measure, run: Judged) -> tuple[float | None, str]:
    """A run's value, None where undefined, and why it is not compared; empty if it is."""
    if run.waiting.any():
        return None, NOT_JUDGED
    try:
        return measure(run).value, gated(measure, run)
    except Undefined as why:
        return None, f"undefined: {why}"


def compare(
    runs: Sequence[Judged],
    measure: Measure,
    resamples: int,
    seed: int,
    apart: Mapping[int, str] = MappingProxyType({}),
) -> Comparison:
    """All pairs of runs on the same instances, by bootstrap max-|t|, together with 95%.

    The standard error of each difference is found anew in each resample by linearisation. Runs
    that are undefined or under the gate are left out; identical runs are never separable.

    runs     on the same instances in the same order
    measure  one that has ``sums``
    apart    by place, runs that are left out for a reason known already: they have no value here
    """
    if measure.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    found = [(None, apart[i]) if i in apart else standing(measure, r) for i, r in enumerate(runs)]
    values, reasons = tuple(value for value, _ in found), tuple(why for _, why in found)
    kept = [i for i, why in enumerate(reasons) if not why]
    if len(kept) < 2 or not resamples:
        none = "" if resamples else NO_RESAMPLES
        pairs = tuple(
            Pair(a, b, less(values, a, b), None, None, None, reasons[a] or reasons[b] or none)
            for a, b in combinations(range(len(runs)), 2)
        )
        return Comparison(pairs, (None,) * len(runs), resamples, None, values, reasons)
    totals = totals_of([runs[i] for i in kept], measure.sums, runs[kept[0]].groups)
    point = estimates(totals, measure.sums)
    drawn = weights(totals.shape[1], resamples, seed)
    largest = largest_t(totals, measure.sums, point, drawn)
    defined = np.sort(largest[~np.isnan(largest)])
    pairs = _pairs(values, reasons, point[1], defined)
    ranks = _ranks(pairs, len(runs), kept, measure)
    left_out, critical = len(largest) - len(defined), _critical(defined)
    return Comparison(pairs, ranks, resamples, critical, values, reasons, left_out)


def less(values: Sequence[float | None], a: int, b: int) -> float | None:
    """The value of one run less that of another; None if one is undefined."""
    one, two = values[a], values[b]
    return None if one is None or two is None else one - two


def _critical(largest: FloatArray) -> float:
    """The |t| from which on the adjusted p is at most 1 − LEVEL, so that both say the same.

    largest  ascending
    """
    place = math.ceil(LEVEL * (len(largest) + 1) - 1e-9)
    return float(largest[place - 1]) if place <= len(largest) else math.inf


def estimates(totals: FloatArray, sums: Sums) -> tuple[FloatArray, FloatArray]:
    """Each run's value, shape (runs,), and the standard error of each difference.

    The error is NaN where two runs differ in fewer than DIFFERENT clusters, 0 where the
    difference is the same in all of them.
    """
    whole = totals.sum(axis=1)
    influence = np.einsum("rgk,rk->gr", totals, sums.gradient(whole))
    first, second = np.triu_indices(len(totals), 1)
    error = np.zeros((len(totals), len(totals)))
    error[first, second] = standard_errors(influence.T @ influence, first, second)
    for a, b in zip(first, second, strict=True):
        if error[a, b] > 0 and differing(totals[a], totals[b]) < DIFFERENT:
            error[a, b] = np.nan
    return np.asarray(sums.value(whole)), error + error.T


def differing(one: FloatArray, two: FloatArray) -> int:
    """In how many clusters the sums of two runs differ; from DIFFERENT on perhaps in more."""
    many = np.count_nonzero((one[:_LOOK] != two[:_LOOK]).any(axis=1))
    return int(many if many >= DIFFERENT else np.count_nonzero((one != two).any(axis=1)))


def _pairs(
    values: Sequence[float | None],
    reasons: Sequence[str],
    error: FloatArray,
    largest: FloatArray,
) -> tuple[Pair, ...]:
    """All pairs, from the errors of those that are not left out and the |t|s, ascending."""
    kept = [i for i, why in enumerate(reasons) if not why]
    place = {run: i for i, run in enumerate(kept)}
    found = []
    for a, b in combinations(range(len(values)), 2):
        difference, why = less(values, a, b), reasons[a] or reasons[b]
        if why or difference is None:
            found.append(Pair(a, b, difference, None, None, None, why))
        else:
            one = float(error[place[a], place[b]])
            found.append(_pair(a, b, difference, one, largest))
    return tuple(found)


def _pair(a: int, b: int, difference: float, error: float, largest: FloatArray) -> Pair:
    if math.isnan(error):
        return Pair(a, b, difference, None, None, None, FEW)
    if error == 0:  # no instance deviates from the difference
        if abs(difference) < 1e-12:
            return Pair(a, b, 0.0, None, None, 1.0, SAME)
        return Pair(a, b, difference, None, None, None, CONSTANT)
    beyond = len(largest) - np.searchsorted(largest, abs(difference) / error)
    p = (1 + beyond) / (1 + len(largest))
    critical = _critical(largest)
    if math.isinf(critical):
        return Pair(a, b, difference, None, None, float(p), ENDLESS)
    low, high = difference - critical * error, difference + critical * error
    return Pair(a, b, difference, low, high, float(p))


def _ranks(
    pairs: Sequence[Pair], runs: int, kept: Sequence[int], measure: Measure
) -> tuple[tuple[int, int] | None, ...]:
    """For each run: 1 + the runs surely better, and all but the runs surely worse."""
    better, worse = np.zeros(runs, int), np.zeros(runs, int)
    sign = -1 if measure.better == "lower" else 1
    for pair in pairs:
        if pair.difference is None or not pair.told_apart:
            continue
        first, second = (pair.a, pair.b) if sign * pair.difference > 0 else (pair.b, pair.a)
        better[second] += 1
        worse[first] += 1
    # A run that is not compared may stand anywhere.
    return tuple(
        (1 + int(better[r]), runs - int(worse[r])) if r in kept else None for r in range(runs)
    )
