"""The largest |t| of any pair of runs, in each resample of their instances."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from grader.model import FloatArray, IntArray, Sums
from grader.processors import processors

_AT_ONCE = 32  # resamples that a thread takes


def largest_t(
    totals: FloatArray,
    sums: Sums,
    point: tuple[FloatArray, FloatArray],
    drawn: Iterable[FloatArray],
) -> FloatArray:
    """Shape (resamples,): the largest |t| of any pair in each resample.

    NaN where a run is undefined, inf where a pair has moved and has no error left. Resamples are
    shared out to threads, in each of which products are made by one: so no sum hangs on them.
    """
    theta, error = point
    first, second = np.nonzero(np.triu(error > 0, 1))
    by_feature = np.ascontiguousarray(totals.transpose(0, 2, 1))
    board = _Board(by_feature, sums, theta, first, second)
    chunks = (
        weight[start : start + _AT_ONCE]
        for weight in drawn
        for start in range(0, len(weight), _AT_ONCE)
    )
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(processors()) as threads:
        return np.concatenate([np.empty(0), *threads.map(board.largest_t, chunks)])


@dataclass(frozen=True, slots=True)
class _Board:
    """Runs whose pairs are compared: sums of shape (runs, k, clusters), values, and the pairs."""

    by_feature: FloatArray
    sums: Sums
    theta: FloatArray
    first: IntArray
    second: IntArray

    def largest_t(self, drawn: FloatArray) -> FloatArray:
        """Shape (B,): the largest |t| in each resample. Weights of shape (B, clusters)."""
        runs, k, many = self.by_feature.shape
        flat = self.by_feature.reshape(runs * k, many)
        whole = (drawn @ flat.T).reshape(-1, runs, k)
        influence, found = np.empty((runs, 1, many)), []
        # Threads do not inherit what is silenced around them.
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = np.asarray(self.sums.value(whole)) - self.theta
            slope = self.sums.gradient(whole)
            for shift, by, root in zip(moved, slope, np.sqrt(drawn), strict=True):
                np.matmul(by[:, None, :], self.by_feature, out=influence)
                influence *= root
                gram = influence[:, 0] @ influence[:, 0].T
                spread = standard_errors(gram, self.first, self.second)
                gap = np.abs(shift[self.first] - shift[self.second])
                gap[gap < 1e-12] = 0.0  # rounding
                found.append(np.where(gap == 0, 0.0, gap / spread).max(initial=0.0))
        return np.array(found)


def standard_errors(gram: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """The standard errors of the differences between runs, from the products of influences."""
    own = np.diagonal(gram)
    both = own[first] + own[second]
    variance = both - 2 * gram[first, second]
    # What is left of identical runs is rounding.
    return np.sqrt(np.where(variance > 1e-12 * both, variance, 0.0))
