"""How often each cell or cluster is drawn, when as many as there are are drawn anew."""

import numpy as np

from grader.model import FloatArray, IntArray

_FEW = 100  # instances up to which there is nothing to gain


def multinomial(counts: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples, cells): n draws over cells, each as likely as its share of the n.

    counts  shape (cells,), whole numbers above 0 that add up to n

    One by one where cells are nearly as many as the draws. Otherwise with many cells as
    independent Poisson numbers that fall a little short of n, and the rest one by one. Given their
    sum Poisson numbers are multinomial, so the law is exact.
    """
    n = int(counts.sum())
    if n < _FEW or len(counts) < 0.6 * n**0.5:
        return rng.multinomial(n, counts / n, resamples).astype(np.float64)
    if n <= 2 * len(counts):
        return _thrown(counts, np.full(resamples, n), rng).astype(np.float64)
    rate = counts * (1 - 3 / n**0.5)
    drawn = rng.poisson(rate[:, None], (len(counts), resamples)).T
    while (over := drawn.sum(axis=1) > n).any():  # one row in 700
        drawn[over] = rng.poisson(rate, (int(over.sum()), len(counts)))
    rest = _thrown(counts, n - drawn.sum(axis=1), rng)
    return (drawn + rest).astype(np.float64)


def _thrown(counts: FloatArray, draws: IntArray, rng: np.random.Generator) -> IntArray:
    """Shape (resamples, cells): so many draws in each resample, one after the other."""
    cell = np.repeat(np.arange(len(counts)), counts.astype(np.intp))
    place = cell[rng.integers(len(cell), size=draws.sum())]
    place += np.repeat(np.arange(len(draws)) * len(counts), draws)
    many = np.bincount(place, minlength=len(draws) * len(counts))
    return many.reshape(len(draws), len(counts))


def drawn_clusters(many: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples, many): how often each of ``many`` clusters is drawn, ``many`` times."""
    rows = (rng.integers(many, size=many) for _ in range(resamples))
    return np.array([np.bincount(row, minlength=many) for row in rows], dtype=np.float64)
