"""Means in resamples: instances, or whole clusters of them, drawn with replacement."""

from collections.abc import Iterator

import numpy as np

from grader.model import FloatArray, IntArray, Judged, Sums

CELLS = 1024  # distinct values up to which none are joined
_BLOCK = 10**7  # counts drawn at once


def redrawn(judged: Judged, sums: Sums, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples,): a mean, or a function of one, in each resample.

    sums  its features have shape (n, 2), the first of them 1

    Without clusters equal values form cells, drawn by their counts: exact in law. More than CELLS
    are joined with their neighbours, which keeps the mean and takes less than (range/1000)² from
    the variance of a value.
    """
    totals, size = _grouped(judged, sums)
    drawn = (counts @ totals for counts in _drawn(size, resamples, rng))
    return np.concatenate([np.asarray(sums.value(found)) for found in drawn])


def studentised(
    judged: Judged, sums: Sums, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Shape (resamples,): of a mean, its value less t standard errors, t as each resample has it.

    Their percentiles are the ends of the bootstrap-t interval: with rare large values those of
    the resamples themselves lie too low (of ``iscore`` they covered 85 to 92%). NaN where all
    that a resample drew is equal.

    Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 12.5.
    """
    totals, size = _grouped(judged, sums)
    n, total = totals.T
    value = float((size @ total) / (size @ n))
    products = np.stack((n, total, n * n, n * total, total * total), axis=1)
    own = _error(size @ products)
    found = []
    for counts in _drawn(size, resamples, rng):
        drawn = counts @ products
        error = _error(drawn)
        moved = drawn[:, 1] / drawn[:, 0] - value
        t = np.divide(moved, error, out=np.full(len(drawn), np.nan), where=error > 0)
        found.append(np.maximum(value - t * own, 0.0))
    return np.concatenate(found)


def _error(products: FloatArray) -> FloatArray:
    """Shape (…,): the standard error of a mean, from sums of n, x, n², n·x and x² over groups."""
    n, total, nn, nx, xx = np.moveaxis(products, -1, 0)
    mean = total / n
    left = xx - 2 * mean * nx + mean * mean * nn
    return np.asarray(np.sqrt(np.where(left > 1e-12 * xx, left, 0.0)) / n)


def _grouped(judged: Judged, sums: Sums) -> tuple[FloatArray, IntArray]:
    """The sums of each cluster or cell, shape (m, 2), and how many are drawn as it."""
    features = sums.features(judged)
    if not judged.cluster.size:
        values, size = joined(features[:, 1])
        return np.stack((np.ones(len(values)), values), axis=1), size
    names, cluster = np.unique(judged.cluster, return_inverse=True)
    order = np.lexsort((features[:, 1], cluster))  # so that no order of rows moves a bit
    totals = np.zeros((len(names), features.shape[1]))
    np.add.at(totals, cluster[order], features[order])
    return totals, np.ones(len(names), dtype=np.intp)


def _drawn(size: IntArray, resamples: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Yield how often each is drawn, as often in all as they are many: blocks of rows."""
    many = int(size.sum())
    rows = max(1, _BLOCK // len(size))
    for done in range(0, resamples, rows):
        yield rng.multinomial(many, size / many, min(rows, resamples - done))


def joined(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct values and how often each is there; more than CELLS joined into fewer.

    A group lies inside one of CELLS/2 parts of equal mass, and one of as many of equal width; its
    value is the mean of its own.

    >>> [x.tolist() for x in joined(np.array([2.0, 1.0, 2.0]))]
    [[1.0, 2.0], [1, 2]]
    """
    levels, size = np.unique(values, return_counts=True)
    if len(levels) <= CELLS:
        return levels, size
    mass = (np.cumsum(size) - size) * (CELLS // 2) // len(values)
    place = np.linspace(levels[0], levels[-1], CELLS // 2)
    part = np.searchsorted(place, levels)
    starts = np.flatnonzero(np.concatenate(([True], (np.diff(mass) + np.diff(part)) > 0)))
    many = np.add.reduceat(size, starts)
    return np.add.reduceat(levels * size, starts) / many, many
