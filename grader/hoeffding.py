"""Hoeffding's bound over all pairs of many runs: what a difference between two needs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from grader.compare import LEVEL
from grader.linear import Linear, slices, tally
from grader.model import BoolArray, FloatArray, IntArray

_ROWS = 256  # runs whose pairs with as many others are looked at together
_SINGLE = float(np.finfo(np.float32).eps)
_ROUNDING = 1e-12  # share of what two runs vary by that may be rounding alone


@dataclass(frozen=True, slots=True)
class Field:
    """Runs that are compared, and what a difference between them needs.

    values     shape (runs,): more is better
    influence  shape (clusters, runs): what each cluster adds to the run's value
    own        shape (runs,): the sums of their squares
    lean       shape (runs,): the covariance of a run's influence and the size of its cluster
    spread     the sum of the squared shares of the instances that each cluster has
    reach      the |S|/V that no pair goes beyond in 95% of cases
    """

    values: FloatArray
    influence: FloatArray
    own: FloatArray
    lean: FloatArray
    spread: float
    reach: float

    @property
    def pairs(self) -> int:
        return len(self.lean) * (len(self.lean) - 1) // 2

    def half(self, variance: FloatArray, lean: FloatArray) -> FloatArray:
        """Half of the interval of a difference; infinite where the clusters are too few."""
        square = self.reach**2
        rest = 1 - square * self.spread
        if rest <= 0:
            return np.full(np.shape(variance), np.inf)
        tilt = square * np.abs(lean)
        return np.asarray((tilt + np.sqrt(tilt**2 + rest * square * variance)) / rest)

    def squares(self, by: FloatArray, variance: FloatArray, lean: FloatArray) -> FloatArray:
        """V², less what the difference itself adds to the sum: S is ``by``, and not below 0."""
        found = 2 * np.abs(lean)
        found += by * self.spread
        found *= by
        found += variance
        return np.asarray(found)

    def p(self, by: FloatArray, variance: FloatArray, lean: FloatArray) -> FloatArray:
        """The adjusted p of a difference that is not below 0."""
        square = by**2 / self.squares(by, variance, lean)
        return np.asarray(np.minimum(1.0, self.pairs * 2 * np.exp(-square / 2)))

    def sure(self) -> tuple[IntArray, IntArray]:
        """How many runs are surely better than each, and surely worse."""
        order = np.argsort(-self.values, kind="stable")
        best = self._ordered(order)
        rough = best.rough()
        better, worse = np.zeros_like(order), np.zeros_like(order)
        for one, two in combinations_with_replacement(slices(len(order), _ROWS), 2):
            far = _far(best, rough, one, two)
            worse[order[one]] += tally(far, axis=1)
            better[order[two]] += tally(far, axis=0)
        return better, worse

    def _ordered(self, order: IntArray) -> "Field":
        """The runs in another order."""
        flat = {name: getattr(self, name)[order] for name in ("values", "own", "lean")}
        return replace(self, influence=self.influence.take(order, axis=1), **flat)

    def rough(self) -> "Field":
        """The same in single precision, in a unit in which no influence is larger than 1."""
        values = self.values - (self.values.max() + self.values.min()) / 2
        # Of values that are larger still, squares have to be numbers.
        unit = max(math.sqrt(self.own.max()), 1e-6 * values.max()) or 1.0
        influence: Any = np.empty(self.influence.shape, dtype=np.float32)
        np.divide(self.influence, unit, out=influence, casting="same_kind")
        flat: dict[str, Any] = {
            "values": values / unit,
            "own": self.own / unit**2,
            "lean": self.lean / unit,
        }
        flat = {name: each.astype(np.float32) for name, each in flat.items()}
        return replace(self, influence=influence, **flat)

    def rounding(self, one: slice, two: slice) -> float:
        """As much as numbers in single precision may be off, by which two runs are far."""
        kind, many = np.finfo(np.float32), len(self.influence)
        own = float(self.own[one].max() + self.own[two].max())
        value, lean = float(np.abs(self.values).max()), float(np.abs(self.lean).max())
        return _SINGLE * (many * own + value * (value + 16 * lean)) + many * float(kind.tiny)

    def beyond(self, one: slice | IntArray, two: slice) -> tuple[FloatArray, FloatArray]:
        """Shape (one, two): S² / ``reach``² less V², and the variance of the difference.

        There are very many pairs: each step is in the place of the last.
        """
        variance = self.influence[:, one].T @ self.influence[:, two]
        variance *= -2
        variance += self.own[one, None]
        variance += self.own[two]
        apart = self.values[one, None] - self.values[two]
        square = apart * apart
        square *= 1 / self.reach**2 - self.spread
        square -= variance
        if self.lean.any():
            apart *= self.lean[one, None] - self.lean[two]
            square -= 2 * np.abs(apart, out=apart)
        return square, variance


def _far(best: Field, rough: Field, one: slice, two: slice) -> BoolArray:
    """Shape (one, two): which of two runs is surely worse than one before it.

    One by whose difference S is S² > ``reach``² V², unless V² is rounding alone. Single precision
    decides nearly all; what it leaves open is looked at again.

    best  the runs from the best on, and these ``rough``
    """
    beyond, variance = rough.beyond(one, two)
    far, least = beyond > 0, np.minimum(beyond, variance, out=variance)
    near = np.abs(least, out=least) <= rough.rounding(one, two)
    if one == two:
        later = np.less.outer(places := np.arange(len(far)), places)
        far, near = far & later, near & later
    again = np.flatnonzero(near.any(axis=1))
    if again.size:
        far[again] = _exactly(best, one.start + again, two)
    return far


def _exactly(best: Field, one: IntArray, two: slice) -> BoolArray:
    """The same, of some runs."""
    beyond, variance = best.beyond(one, two)
    both = best.own[one, None] + best.own[two]
    later = one[:, None] < np.arange(two.start, two.stop)
    return np.asarray((beyond > 0) & (variance > _ROUNDING * both) & later)


def cleared(variance: FloatArray, both: FloatArray) -> FloatArray:
    """The squared errors of differences: what is left of identical runs is rounding.

    both  the sums of the squares of the two runs
    """
    return np.where(variance > _ROUNDING * both, variance, 0.0)


def field_of(read: Linear, kept: Sequence[int], values: FloatArray) -> Field:
    influence = read.influence if len(kept) == len(read.values) else read.influence[:, kept]
    lean = np.einsum("gr,g->r", influence, read.share)
    own = np.einsum("gr,gr->r", influence, influence)
    lean[np.abs(lean) <= _ROUNDING * np.sqrt(own)] = 0.0
    pairs = len(kept) * (len(kept) - 1) / 2
    reach = math.sqrt(2 * math.log(2 * pairs / (1 - LEVEL)))
    spread = float(read.share @ read.share)
    return Field(values, influence, own, lean, spread, reach)
