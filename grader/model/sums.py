"""Measures that are smooth functions of a few sums over instances."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.model.arrays import FloatArray
from grader.model.judged import Judged


@dataclass(frozen=True, slots=True)
class Sums:
    """A measure as ``value`` of the sums of ``features``.

    features  of a run: shape (n, k); the first is 1, so that the first sum is n
    value     of sums of shape (…, k), in arithmetic that also holds for complex numbers
    mean      whether it is the mean of the second feature
    """

    features: Callable[[Judged], FloatArray]
    value: Callable[[Any], Any]
    mean: bool = False

    def gradient(self, sums: FloatArray) -> FloatArray:
        """Shape (…, k): the derivative by each sum, by a complex step: exact, no difference."""
        step = 1e-30
        k = sums.shape[-1]
        bent = sums[..., None, :] + 1j * step * np.eye(k)
        return np.asarray(self.value(bent).imag / step)


def mean(each: FloatArray) -> float:
    """The mean of one value an instance, added from the least: no order of rows moves a bit."""
    return float(np.sort(each).mean())


def mean_of(feature: Callable[[Judged], FloatArray]) -> Sums:
    """A mean over instances as a function of sums."""
    return Sums(
        lambda judged: np.stack((np.ones(len(judged.correct)), feature(judged)), axis=1),
        lambda sums: sums[..., 1] / sums[..., 0],
        mean=True,
    )
