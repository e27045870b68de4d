"""Smooth calibration error: no bins, and a bandwidth that the data choose."""

import numpy as np
from numpy.typing import NDArray

from grader.model import Cells, FloatArray, Measure

GRID = 4096  # points of [0, 1] at which the smoothed residual is read
_STEPS = 60  # bandwidths tried at most
_NEAR = 1e-13  # how near the bandwidth comes to the error
_FAR = 3.0  # waves in a bandwidth from which exp(−(π·waves)²/2) is nothing beside 1


def _residual(cells: Cells, row: int, points: int) -> FloatArray:
    """Shape (points + 1,): the mean of (confidence − right), shared between neighbours."""
    step = (cells.size[row] * cells.level - cells.right[row]) / cells.n[row]
    at = cells.level * points
    left = np.minimum(at.astype(np.intp), points - 1)
    share = at - left
    found = np.bincount(left, step * (1.0 - share), points + 1)
    return np.asarray(found + np.bincount(left + 1, step * share, points + 1))


def _smoothed(spectrum: NDArray[np.complex128], bandwidth: float) -> float:
    """The integral over [0, 1] of |residual smoothed by the reflected Gaussian kernel|.

    Reflection at both ends makes the signal even with period 2, so the smoothing is a product of
    cosine coefficients, exact for every bandwidth. What it damps below rounding is left out.
    """
    points = len(spectrum) - 1
    kept = min(points + 1, 2 + int(_FAR / max(bandwidth, 1 / points)))
    k = np.arange(kept)
    damped = spectrum[:kept] * np.exp(-0.5 * np.square(np.pi * k * bandwidth))
    density = np.abs(np.fft.irfft(damped, 2 * points)[: points + 1])
    return float(density.sum() - (density[0] + density[-1]) / 2)


def smece(cells: Cells, *, points: int = GRID) -> FloatArray:
    """Smooth ECE: the residual smoothed at the bandwidth that equals the error itself.

    points   of [0, 1] at which it is read; fewer are faster, and a little wrong
    returns  in [0, 1]; NaN without instances

    Błasiok and Nakkiran, Smooth ECE, ICLR 2024, definitions 2 and 3: the reflected Gaussian
    kernel on [0, 1], and the fixed point of error and bandwidth.

    Undefined without instances.
    """
    found, near = [], 0.0
    for row in range(len(cells.n)):  # resamples of one run have errors alike: each is near
        near = _fixed(_spectrum(cells, row, points), near)
        found.append(near)
    return np.array(found)


def _spectrum(cells: Cells, row: int, points: int) -> NDArray[np.complex128]:
    residual = _residual(cells, row, points)
    even = np.concatenate((residual, residual[-2:0:-1]))
    even[0] *= 2.0  # the ends stand once in a period, the rest twice
    even[points] *= 2.0
    return np.asarray(np.fft.rfft(even))


def _fixed(spectrum: NDArray[np.complex128], near: float) -> float:
    """The bandwidth that equals the error at it, by false position (the Illinois rule).

    The error never rises with the bandwidth, so the two meet once: between any bandwidth, here
    ``near``, and the error at it.
    """
    other = _smoothed(spectrum, near)
    low, high = min(near, other), max(near, other)
    gaps = {near: other - near, other: _smoothed(spectrum, other) - other}
    above, below = gaps[low], gaps[high]  # error less bandwidth, at either end
    middle, side = other, 0
    for _ in range(_STEPS):
        if high - low < _NEAR or above - below < _NEAR:
            break
        middle = (high * above - low * below) / (above - below)
        gap = _smoothed(spectrum, middle) - middle
        if abs(gap) < _NEAR:
            break
        if gap > 0:
            low, above, below = middle, gap, below / 2 if side > 0 else below
        else:
            high, below, above = middle, gap, above / 2 if side < 0 else above
        side = 1 if gap > 0 else -1
    return middle


SMECE = Measure(
    key="smece",
    title="Smooth ECE",
    fn=smece,
    better="lower",
    bounds=(0, 1),
    interval="none",
    no_interval="its bandwidth would have to be found anew in each resample",
    gate="floor",
    about="Calibration error without bins: confidence less right answers, smoothed by a Gaussian "
    "kernel reflected at 0 and 1, whose bandwidth equals the error itself.",
    source="Błasiok and Nakkiran, Smooth ECE: Principled Reliability Diagrams, ICLR 2024",
)
