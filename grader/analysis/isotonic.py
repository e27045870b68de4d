"""Isotonic regression by pooling adjacent violators."""

import numpy as np

from grader.model import Cells, FloatArray, IntArray

_PASSES = 30  # over the whole array; what is left then goes one block at a time


def isotonic(cells: Cells) -> tuple[FloatArray, FloatArray]:
    """The non-decreasing function of confidence that is nearest to right or wrong, as knots.

    returns  confidences, ascending, and the fitted chance of being right at each: both ends of
             every pooled block. Between knots the fit is linear, beyond them constant, so
             ``numpy.interp`` reads it.

    Ayer et al., An Empirical Distribution Function for Sampling with Incomplete Information,
    1955.

    >>> level, ones = np.array([0.25, 0.5, 0.75]), np.array([[1.0, 0.0, 1.0]])
    >>> isotonic(Cells(level, ones, 1 - ones))[1].tolist()
    [0.5, 0.5, 1.0, 1.0]
    """
    starts = _pooled(cells.right[0], cells.size[0])
    right = np.add.reduceat(cells.right[0], starts)
    size = np.add.reduceat(cells.size[0], starts)
    ends = np.append(starts[1:], len(cells.level)) - 1
    knots = np.stack((cells.level[starts], cells.level[ends]), axis=1).ravel()
    return knots, np.repeat(right / size, 2)


def _pooled(right: FloatArray, size: FloatArray) -> IntArray:
    """Where the blocks start. Neighbours out of order always end in one block, in any order."""
    starts = np.arange(len(size))
    for _ in range(_PASSES):
        down = right[:-1] * size[1:] >= right[1:] * size[:-1]
        if not down.any():
            return starts
        keep = np.concatenate(([0], np.flatnonzero(~down) + 1))
        starts = starts[keep]
        right, size = np.add.reduceat(right, keep), np.add.reduceat(size, keep)
    return starts[_one_by_one(right.tolist(), size.tolist())]


def _one_by_one(right: list[float], size: list[float]) -> list[int]:
    """The same, block by block: linear in their number whatever they hold."""
    blocks: list[tuple[int, float, float]] = []
    for place, (ones, many) in enumerate(zip(right, size, strict=True)):
        block = (place, ones, many)
        while blocks and blocks[-1][1] * block[2] >= block[1] * blocks[-1][2]:
            before = blocks.pop()
            block = (before[0], before[1] + block[1], before[2] + block[2])
        blocks.append(block)
    return [start for start, _, _ in blocks]
