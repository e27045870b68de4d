"""Tests of "the same system": what runs say, exchanged between them. Never of a mean of HMR."""

from dataclasses import replace
from itertools import product

import numpy as np

from grader.compare import clusters
from grader.model import BoolArray, Classes, FloatArray, IntArray, Judged, Measure, Undefined

_ENUMERATED = 12  # clusters up to which every swap is tried


def swap_test(
    a: Judged, b: Judged, measure: Measure, resamples: int, seed: int
) -> tuple[float, int]:
    """The p of "the same system": whole records swapped between the runs, within clusters.

    Every swap is tried up to 12 clusters, else ``resamples`` random ones.

    returns  p, and the number of swaps where the measure is defined
    """
    cluster = clusters(a)
    many = int(cluster.max()) + 1
    exact = many <= _ENUMERATED
    swaps = (
        np.array(list(product((False, True), repeat=many)))
        if exact
        else np.random.default_rng([seed, many]).random((resamples, many)) < 0.5
    )
    seen = abs(measure(a).value - measure(b).value)
    apart = []
    for swap in swaps:
        mask = swap[cluster]
        one, two = _mixed(a, b, mask), _mixed(b, a, mask)
        apart.append(abs(_value(one, measure) - _value(two, measure)))
    defined = np.array(apart)[~np.isnan(apart)]  # a swap may leave a measure undefined
    reached = int(np.count_nonzero(defined >= seen - 1e-12))
    p = reached / len(defined) if exact else (1 + reached) / (1 + len(defined))
    return float(p), len(defined)


def _mixed(a: Judged, b: Judged, mask: BoolArray) -> Judged:
    """The run ``a`` with the records of ``b`` where the mask says so."""
    classes, bounds = a.classes, a.bounds
    if a.classes and b.classes:
        if a.classes.probabilities.shape != b.classes.probabilities.shape:
            raise Undefined("the runs offer different classes, and the task declares no labels")
        table = np.where(mask[:, None], b.classes.probabilities, a.classes.probabilities)
        classes = Classes(table, np.where(mask, b.classes.gold, a.classes.gold))
    if a.bounds and b.bounds:
        low, high = np.where(mask, (b.bounds.low, b.bounds.high), (a.bounds.low, a.bounds.high))
        bounds = replace(a.bounds, low=low, high=high)
    right = np.where(mask, b.correct, a.correct)
    sure = np.where(mask, b.confidence, a.confidence)
    return Judged(right, sure, classes=classes, bounds=bounds)


def _value(run: Judged, measure: Measure) -> float:
    """The value, NaN where a measure on cells is undefined."""
    if measure.needs == "confidence":
        return float(measure.fn(run.cells, **measure.params)[0])
    return measure(run).value


def tukey_hsd(values: FloatArray, cluster: IntArray, permutations: int, seed: int) -> FloatArray:
    """Randomised Tukey HSD on means over instances: p of each pair being different systems.

    Runs exchange whole clusters: instances of one are not independent.

    values   shape (runs, n). It says that systems differ, never that a mean of HMR does.
    cluster  shape (n,), numbered from 0; each instance its own where the task names none
    returns  shape (runs, runs)

    Carterette, Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval
    Experiments, TOIS 2012.
    """
    rng = np.random.default_rng([seed, values.shape[1]])
    means, n = values.mean(axis=1), values.shape[1]
    totals = np.stack([np.bincount(cluster, row) for row in values])
    apart = np.abs(means[:, None] - means[None, :])
    reached = np.zeros_like(apart)
    for _ in range(permutations):
        mixed = rng.permuted(totals, axis=0).sum(axis=1) / n
        reached += (mixed.max() - mixed.min()) >= apart - 1e-12
    found: FloatArray = (1 + reached) / (1 + permutations)
    np.fill_diagonal(found, 1.0)
    return found
