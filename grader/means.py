"""Means in resamples: instances, or whole clusters of them, drawn with replacement."""

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
    features = sums.features(judged)
    if judged.cluster.size:
        names, cluster = np.unique(judged.cluster, return_inverse=True)
        totals = np.zeros((len(names), features.shape[1]))
        np.add.at(totals, cluster, features)
        size = np.ones(len(names), dtype=np.intp)
    else:
        values, size = joined(features[:, 1])
        totals = np.stack((np.ones(len(values)), values), axis=1)
    many = int(size.sum())
    rows = max(1, _BLOCK // len(size))
    parts = [min(rows, resamples - done) for done in range(0, resamples, rows)]
    drawn = (rng.multinomial(many, size / many, part) @ totals for part in parts)
    return np.concatenate([np.asarray(sums.value(found)) for found in drawn])


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
