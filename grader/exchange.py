"""Tests of "the same system": what runs say, exchanged between them. Never of a mean of HMR."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from grader.compare import totals_of
from grader.model import (
    BoolArray,
    Cells,
    Classes,
    FloatArray,
    IntArray,
    Judged,
    Measure,
    Sums,
    Undefined,
)

_ENUMERATED = 12  # clusters up to which every swap is tried
_ENTRIES = 10**7  # of a matrix of swaps and clusters that is drawn at once
_BLOCK = 2**16  # of one of swaps and answers that is computed at once
_OFTEN = 8  # answers to a level of confidence from which counting is faster than sorting anew

Distances = Callable[[BoolArray], FloatArray]  # swaps of clusters → |difference| after each


def swap_test(
    a: Judged, b: Judged, measure: Measure, resamples: int, seed: int
) -> tuple[float, int]:
    """The p of "the same system": whole records swapped between the runs, within clusters.

    Every swap is tried up to 12 clusters, else ``resamples`` random ones. Class probabilities
    are of all classes that either run offers.

    returns  p, and the number of swaps where the measure is defined

    raises  Undefined, where classes cannot be told apart or the runs have no value
    """
    a, b = _alike(a, b)
    many = int(a.groups.max()) + 1
    exact = many <= _ENUMERATED
    one, two = measure(a).value, measure(b).value
    slack = 1e-12 * max(1.0, abs(one), abs(two))
    distances = _distances(a, b, measure)
    apart = np.concatenate([distances(swaps) for swaps in _swaps(many, resamples, seed)])
    defined = apart[~np.isnan(apart)]  # a swap may leave a measure undefined
    reached = int(np.count_nonzero(defined >= abs(one - two) - slack))
    p = reached / len(defined) if exact else (1 + reached) / (1 + len(defined))
    return float(p), len(defined)


def _swaps(many: int, resamples: int, seed: int) -> Iterator[BoolArray]:
    """Yield which clusters are swapped, blocks of shape (rows, many): every way, or at random."""
    if many <= _ENUMERATED:
        yield np.array(list(product((False, True), repeat=many)))
        return
    rng = np.random.default_rng([seed, many])
    most = max(1, _ENTRIES // many)
    for start in range(0, resamples, most):
        yield rng.random((min(most, resamples - start), many)) < 0.5


def _distances(a: Judged, b: Judged, measure: Measure) -> Distances:
    """The fastest way to a measure after each swap; where its sums fail, the slower one."""
    levels = len(np.unique(np.concatenate((a.confidence, b.confidence))))
    counted = measure.needs == "confidence" and levels * _OFTEN <= len(a.correct)
    slow = _by_cells(a, b, measure) if counted else _whole(a, b, measure)
    return slow if measure.sums is None else _by_sums(a, b, measure.sums, slow)


def _by_sums(a: Judged, b: Judged, sums: Sums, slow: Distances) -> Distances:
    """By the sums of clusters; a convention, which sums do not know, by the slow way."""
    mine, other = totals_of((a, b), sums, a.groups)
    gap = other - mine

    def found(swaps: BoolArray) -> FloatArray:
        moved = swaps.astype(np.float64) @ gap
        with np.errstate(divide="ignore", invalid="ignore"):
            one, two = (sums.value(of) for of in (mine.sum(0) + moved, other.sum(0) - moved))
            apart = np.abs(one - two)
        odd = ~np.isfinite(apart)
        if odd.any():
            apart[odd] = slow(swaps[odd])
        return np.asarray(apart)

    return found


def _by_cells(a: Judged, b: Judged, measure: Measure) -> Distances:
    """By how many answers there are, and how many right, at each confidence of either run."""
    both = np.concatenate((a.confidence, b.confidence)) + 0.0
    order = np.argsort(both, kind="stable")
    level, right = both[order], np.concatenate((a.correct, b.correct))[order]
    group, of_b = a.groups[order % len(a.correct)], order >= len(a.correct)
    starts = np.flatnonzero(np.diff(level, prepend=-1.0))
    rows = max(1, _BLOCK // len(both))

    def values(kept: BoolArray) -> FloatArray:
        hits = np.add.reduceat(kept & right, starts, axis=1, dtype=np.float64)
        size = np.add.reduceat(kept, starts, axis=1, dtype=np.float64)
        return np.asarray(measure.fn(Cells(level[starts], hits, size - hits), **measure.params))

    def found(swaps: BoolArray) -> FloatArray:
        kept = (swaps[at : at + rows][:, group] == of_b for at in range(0, len(swaps), rows))
        return np.concatenate([np.abs(values(k) - values(~k)) for k in kept])

    return found


def _whole(a: Judged, b: Judged, measure: Measure) -> Distances:
    """By making both runs anew for each swap: what classes, intervals and an order need."""

    def found(swaps: BoolArray) -> FloatArray:
        masks = (swap[a.groups] for swap in swaps)
        pairs = ((_mixed(a, b, mask), _mixed(b, a, mask)) for mask in masks)
        return np.array([_apart(measure, *pair) for pair in pairs])

    return found


def _apart(measure: Measure, one: Judged, two: Judged) -> float:
    try:
        return abs(measure(one).value - measure(two).value)
    except Undefined:
        return float("nan")


def _alike(a: Judged, b: Judged) -> tuple[Judged, Judged]:
    """The runs with class probabilities, if they have some, in the same columns."""
    one, two = a.classes, b.classes
    if one is None or two is None:
        return a, b
    if one.labels == two.labels and one.probabilities.shape == two.probabilities.shape:
        return a, b
    if not (one.labels and two.labels):
        raise Undefined("the runs offer different classes, and these have no labels")
    labels = tuple(dict.fromkeys((*one.labels, *two.labels)))
    return replace(a, classes=_under(labels, one)), replace(b, classes=_under(labels, two))


def _under(labels: tuple[str, ...], classes: Classes) -> Classes:
    """The probabilities under these labels, which hold all of its own: NaN for the others."""
    place = np.array([labels.index(label) for label in classes.labels], dtype=np.intp)
    table = np.full((len(classes.gold), len(labels)), np.nan)
    table[:, place] = classes.probabilities
    gold = np.where(classes.gold < 0, -1, place[classes.gold])
    return Classes(table, gold, labels)


def _mixed(a: Judged, b: Judged, mask: BoolArray) -> Judged:
    """The run ``a`` with the records of ``b`` where the mask says so."""
    classes, bounds = a.classes, a.bounds
    if a.classes and b.classes:
        table = np.where(mask[:, None], b.classes.probabilities, a.classes.probabilities)
        gold = np.where(mask, b.classes.gold, a.classes.gold)
        classes = replace(a.classes, probabilities=table, gold=gold)
    if a.bounds and b.bounds:
        low, high = np.where(mask, (b.bounds.low, b.bounds.high), (a.bounds.low, a.bounds.high))
        bounds = replace(a.bounds, low=low, high=high)
    right = np.where(mask, b.correct, a.correct)
    sure = np.where(mask, b.confidence, a.confidence)
    return Judged(right, sure, classes=classes, bounds=bounds)


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
