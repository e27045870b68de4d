"""How often each cell or cluster is drawn, when as many as there are are drawn anew."""

import numpy as np

from grader.model import FloatArray

_FEW = 100  # instances up to which there is nothing to gain


def multinomial(counts: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples, cells): n draws over cells, each as likely as its share of the n.

    counts  shape (cells,), whole numbers above 0 that add up to n

    With many cells as independent Poisson numbers that fall a little short of n, and the rest
    drawn one by one. Given their sum Poisson numbers are multinomial, so the law is exact.
    """
    n = int(counts.sum())
    if n < _FEW or len(counts) < 0.6 * n**0.5:
        return rng.multinomial(n, counts / n, resamples).astype(np.float64)
    rate = counts * (1 - 3 / n**0.5)
    drawn = rng.poisson(rate[:, None], (len(counts), resamples)).T
    while (over := drawn.sum(axis=1) > n).any():  # one row in 700
        drawn[over] = rng.poisson(rate, (int(over.sum()), len(counts)))
    left = n - drawn.sum(axis=1)
    cell = np.repeat(np.arange(len(counts)), counts.astype(np.intp))
    place = cell[rng.integers(n, size=left.sum())]
    place += np.repeat(np.arange(resamples) * len(counts), left)
    rest = np.bincount(place, minlength=drawn.size).reshape(drawn.shape)
    return (drawn + rest).astype(np.float64)


def drawn_clusters(many: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Shape (resamples, many): how often each of ``many`` clusters is drawn, ``many`` times."""
    rows = (rng.integers(many, size=many) for _ in range(resamples))
    return np.array([np.bincount(row, minlength=many) for row in rows], dtype=np.float64)
