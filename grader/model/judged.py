"""What a measure sees: right or wrong, and how sure; sorted once, shared by all measures."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grader.model.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Cells:
    """Instances of equal confidence together, in B resamples at once.

    level  shape (K,): the confidences, ascending, in [0, 1]
    right  shape (B, K): how many right instances each has, as floats
    wrong  shape (B, K): how many wrong ones

    A run as it is has one row (B = 1); levels may repeat, and cells may be empty. ``tied`` says
    that a cell may hold more than one instance.
    """

    level: FloatArray
    right: FloatArray
    wrong: FloatArray
    tied: bool = True

    @cached_property
    def size(self) -> FloatArray:
        """Shape (B, K): instances in each cell."""
        return self.right + self.wrong

    @cached_property
    def rights(self) -> FloatArray:
        """Shape (B,): right instances in all."""
        return np.asarray(self.right.sum(axis=1))

    @cached_property
    def wrongs(self) -> FloatArray:
        """Shape (B,): wrong instances in all."""
        return np.asarray(self.wrong.sum(axis=1))

    @cached_property
    def n(self) -> FloatArray:
        """Shape (B,): instances in all."""
        return self.rights + self.wrongs

    @cached_property
    def sure_right(self) -> FloatArray:
        """Shape (B,): the sum of the confidences of right instances."""
        return weighed(self.right, self.level)

    @cached_property
    def sure_wrong(self) -> FloatArray:
        """Shape (B,): the sum of the confidences of wrong instances."""
        return weighed(self.wrong, self.level)

    @cached_property
    def drift(self) -> FloatArray:
        """Shape (B, K + 1): the sum of (confidence − right) over the cells below each."""
        return _cumulated(self.gap)

    @cached_property
    def gap(self) -> FloatArray:
        """Shape (B, K): the sum of (confidence − right) in each cell."""
        step = self.size * self.level if self.tied else self.level[None, :]
        return np.asarray(step - self.right)

    @cached_property
    def below(self) -> FloatArray:
        """Shape (B, K + 1): the number of wrong instances in the cells below each."""
        return _cumulated(self.wrong, whole=True)

    @cached_property
    def harmonic(self) -> FloatArray:
        """Shape (B, K + 1): H(m) = 1 + 1/2 + … + 1/m of the m instances in the cells not below."""
        return harmonic(self.n[:, None] - self.place)

    def reading(self, cumulated: FloatArray, where: FloatArray) -> FloatArray:
        """Shape (B, m): cumulated sums with ``where`` instances below, linear inside a cell.

        cumulated  shape (B, K + 1), as ``drift`` or ``below``
        where      shape (B, m), from 0 to n
        """
        if len(where) == 1:
            return np.asarray(np.interp(where[0], self.place[0], cumulated[0]))[None, :]
        rows = np.arange(len(where))[:, None]
        place = np.broadcast_to(self.place, cumulated.shape)
        apart = rows * (float(self.n.max()) + 1.0)  # makes one ascending list of all rows
        first = rows * place.shape[1]
        after = np.searchsorted((place + apart).ravel(), (where + apart).ravel())
        after = np.clip(after.reshape(where.shape) - first, 1, place.shape[1] - 1)
        low, high = place[rows, after - 1], place[rows, after]
        share = np.divide(where - low, high - low, out=np.zeros_like(low), where=high > low)
        start = cumulated[rows, after - 1]
        return np.asarray(start + np.clip(share, 0, 1) * (cumulated[rows, after] - start))

    @cached_property
    def risks(self) -> FloatArray:
        """Shape (B,): the sum over k = 1 … n of (wrong among the k most confident) / k.

        An expectation over the orders of ties: among the first j of a block, j · its share.
        """
        surer = self.wrongs[:, None] - self.below
        if not self.tied:
            surer[:, :-1] /= np.arange(len(self.level), 0.0, -1.0)
            return np.asarray(surer[:, :-1].sum(axis=1))
        size = self.size
        rate = np.divide(self.wrong, size, out=np.zeros_like(size), where=size > 0)
        above = self.n[:, None] - self.place[:, 1:]
        span = self.harmonic[:, :-1] - self.harmonic[:, 1:]
        span *= surer[:, 1:] - above * rate
        return np.asarray(span.sum(axis=1) + self.wrongs)

    @cached_property
    def place(self) -> FloatArray:
        """Shape (B, K + 1): the number of instances in the cells below each."""
        if not self.tied:
            return np.arange(len(self.level) + 1, dtype=np.float64)[None, :]
        return _cumulated(self.size, whole=True)


def weighed(count: FloatArray, of: FloatArray) -> FloatArray:
    """Shape (B,): the sum of count · of in each row, in an order that no thread decides."""
    return np.asarray(np.einsum("bk,k->b", count, of))


def _cumulated(step: FloatArray, *, whole: bool = False) -> FloatArray:
    found = np.empty((step.shape[0], step.shape[1] + 1))
    found[:, 0] = 0.0
    # Integers are added up three times as fast.
    found[:, 1:] = np.cumsum(step, axis=1, dtype=np.int64 if whole else np.float64)
    return found


_FEW = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, 65))))


def harmonic(m: FloatArray) -> FloatArray:
    """H(m) = 1 + 1/2 + … + 1/m of whole numbers: summed up to 64, then Euler's expansion.

    >>> bool(abs(harmonic(np.array([100.0])) - sum(1 / i for i in range(1, 101))) < 1e-14)
    True
    """
    large = np.maximum(m, 64.0)
    inverse = 1.0 / large
    square = inverse * inverse
    series = np.log(large)
    series += np.euler_gamma
    series += 0.5 * inverse
    series -= (1 / 12 - (1 / 120 - square / 252) * square) * square
    few = m <= 64
    series[few] = _FEW[m[few].astype(np.intp)]
    return series


@dataclass(frozen=True)
class Classes:
    """Class probabilities, shape (n, classes), NaN where not offered; the gold class or −1.

    ``labels`` names the columns; empty where nobody named them.
    """

    probabilities: FloatArray
    gold: IntArray
    labels: tuple[str, ...] = ()

    def part(self, at: IntArray) -> "Classes":
        """The instances at these places."""
        return replace(self, probabilities=self.probabilities[at], gold=self.gold[at])


@dataclass(frozen=True)
class Bounds:
    """Prediction intervals: low, high (ends may be infinite) and the gold value, shape (n,).

    ``level``, in (0, 1), is the share of gold values that the intervals are to cover.
    """

    low: FloatArray
    high: FloatArray
    gold: FloatArray
    level: float = 0.9


@dataclass(frozen=True)
class Judged:
    """``correct[i]`` and ``confidence[i]`` speak of the same instance, in gold order.

    correct     shape (n,), bool: was the answer right
    confidence  shape (n,), in [0, 1]: how sure the run was of it
    cluster     shape (n,), or empty when each instance is its own
    waiting     shape (n,), or empty when none is: answers that nobody has judged yet; they
                stand as wrong
    """

    correct: BoolArray
    confidence: FloatArray
    cluster: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    classes: Classes | None = None
    bounds: Bounds | None = None
    waiting: BoolArray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    def part(self, at: IntArray) -> "Judged":
        """The instances at these places."""
        classes = self.classes and self.classes.part(at)
        bounds = self.bounds and Bounds(
            self.bounds.low[at], self.bounds.high[at], self.bounds.gold[at], self.bounds.level
        )
        cluster = self.cluster[at] if self.cluster.size else self.cluster
        waiting = self.waiting[at] if self.waiting.size else self.waiting
        return Judged(self.correct[at], self.confidence[at], cluster, classes, bounds, waiting)

    @cached_property
    def groups(self) -> IntArray:
        """Shape (n,): the cluster of each instance, numbered from 0; without clusters its own."""
        if not self.cluster.size:
            return np.arange(len(self.correct))
        return np.unique(self.cluster, return_inverse=True)[1]

    @cached_property
    def cells(self) -> Cells:
        """The run as it is: one cell for each distinct confidence.

        One in-place sort of (bits of the confidence, right) packed into an integer: doubles in
        [0, 1] order as their bits do, and leave the top bit free.
        """
        bits = (self.confidence + 0.0).view(np.uint64)  # + 0.0: no minus zero, contiguous
        key = (bits << np.uint64(1)) | self.correct
        key.sort()
        right = (key & np.uint64(1)).astype(np.float64)
        key >>= np.uint64(1)
        level = key.view(np.float64)
        new = level[1:] != level[:-1]
        if new.all():
            return Cells(level, right[None, :], (1.0 - right)[None, :], tied=False)
        starts = np.concatenate(([0], np.flatnonzero(new) + 1))
        ones = np.add.reduceat(right, starts)
        size = np.diff(np.append(starts, len(level)))
        return Cells(level[starts], ones[None, :], (size - ones)[None, :])
