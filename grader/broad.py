"""Many runs against each other: a bound over all pairs in place of resamples."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, repeat
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from grader.compare import CONSTANT, DIFFERENT, FEW, LEVEL, SAME, less, standing
from grader.linear import Linear, linearised, tally
from grader.model import BoolArray, Comparison, FloatArray, IntArray, Measure, Pair
from grader.stack import Stack

_ROWS = 256  # runs whose pairs with as many others are looked at together
_SINGLE = float(np.finfo(np.float32).eps)
_ROUNDING = 1e-12  # share of what two runs vary by that may be rounding alone
_ENDLESS = "so few instances tell none of so many pairs apart, whatever the difference"
_NONE: Mapping[int, str] = MappingProxyType({})


def neighbours(stack: Stack, measure: Measure, apart: Mapping[int, str] = _NONE) -> Comparison:
    """Each run against the next one, and the ranks each may have: all pairs hold with 95%.

    If two runs are exchangeable, the differences between them in each cluster have the signs of
    coins: of sums of such with S the sum and V² that of the squares no more than 2 exp(−x²/2)
    have |S| ≥ x V, however few they are (Hoeffding 1963; Efron 1969). That, times the number of
    pairs, is p. A measure that is no mean is taken for its linearisation. The work is one product
    of matrices, runs² × clusters, some rows at a time.

    measure  one that has ``sums``; a macro is bound to the instances of the stack
    apart    by place, runs that are left out for a reason known already
    """
    read = linearised(stack, measure)
    values, reasons = _standings(stack, measure, read, apart)
    many, kept = len(values), [i for i, why in enumerate(reasons) if not why]
    if len(kept) < 2:
        pairs = _pairs(values, reasons, {})
        return Comparison(pairs, (None,) * many, 0, None, values, reasons, adjacent=True)
    sign = -1 if measure.better == "lower" else 1
    field = _field(read, kept, sign * np.array([values[i] or 0.0 for i in kept]))
    pairs = _pairs(values, reasons, _near(field, read, kept, values))
    better, worse = field.sure()
    ranks: list[tuple[int, int] | None] = [None] * many
    first, last = (1 + better).tolist(), (many - worse).tolist()
    for i, rank in zip(kept, zip(first, last, strict=True), strict=True):
        ranks[i] = rank
    return Comparison(pairs, tuple(ranks), 0, field.reach, values, reasons, adjacent=True)


def _standings(
    stack: Stack, measure: Measure, read: Linear, apart: Mapping[int, str]
) -> tuple[tuple[float | None, ...], tuple[str, ...]]:
    """What ``standing`` says of all runs; by the sums alone of those that may be compared."""
    values: list[float | None] = read.values.tolist()
    reasons = [""] * len(values)
    for i in np.flatnonzero(~read.sound).tolist():
        if i not in apart:
            values[i], reasons[i] = standing(measure, stack.run(i))
    for i, why in apart.items():
        values[i], reasons[i] = None, why
    return tuple(values), tuple(reasons)


@dataclass(frozen=True, slots=True)
class _Field:
    """Runs that are compared, and what a difference between them needs.

    values     shape (runs,): more is better
    influence  shape (clusters, runs): what each cluster adds to the run's value
    own        shape (runs,): the sums of their squares
    size       shape (runs,): the roots of these
    unit       like ``influence``, which is divided by ``size``, in single precision
    lean       shape (runs,): the covariance of a run's influence and the size of its cluster
    spread     the sum of the squared shares of the instances that each cluster has
    reach      the |S|/V that no pair goes beyond in 95% of cases
    """

    values: FloatArray
    influence: FloatArray
    own: FloatArray
    size: FloatArray
    unit: NDArray[np.float32]
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
        many = len(self.own)
        better, worse = np.zeros(many, dtype=np.intp), np.zeros(many, dtype=np.intp)
        some = np.array_split(np.arange(many), math.ceil(many / _ROWS))
        for one, two in combinations_with_replacement(some, 2):
            above, below = self._far(slice(one[0], one[-1] + 1), slice(two[0], two[-1] + 1))
            better[one] += tally(above, axis=1)
            worse[one] += tally(below, axis=1)
            if two is not one:
                better[two] += tally(below, axis=0)
                worse[two] += tally(above, axis=0)
        return better, worse

    def _far(self, one: slice, two: slice) -> tuple[BoolArray, BoolArray]:
        """Shape (one, two): which of two runs are surely better than one, and which worse.

        Those by whose difference S is S² > ``reach``² V², unless V² is rounding alone. Products
        in single precision decide nearly all; what these leave open is looked at again.
        """
        apart = self.values[two] - self.values[one, None]
        above, below = apart > 0, apart < 0
        correlation = self.unit[:, one].T @ self.unit[:, two]
        product = np.multiply(correlation, self.size[one, None])
        product *= self.size[two]
        beyond, variance = self._beyond(apart, product, one, two)
        rounding = _SINGLE * len(self.unit) * (self.own[one].max() + self.own[two].max())
        least = np.abs(np.minimum(beyond, variance, out=variance), out=variance)
        far, near = beyond > 0, (least <= rounding) & (above | below)
        again = np.flatnonzero(near.any(axis=1))
        if again.size:
            far[again] = self._exactly(one.start + again, two)
        return far & above, far & below

    def _exactly(self, one: IntArray, two: slice) -> BoolArray:
        """Shape (one, two): which runs are surely apart."""
        apart = self.values[two] - self.values[one, None]
        product = self.influence[:, one].T @ self.influence[:, two]
        beyond, variance = self._beyond(apart, product, one, two)
        both = self.own[one, None] + self.own[two]
        return np.asarray((beyond > 0) & (variance > _ROUNDING * both))

    def _beyond(
        self, apart: FloatArray, product: FloatArray, one: slice | IntArray, two: slice
    ) -> tuple[FloatArray, FloatArray]:
        """Shape (one, two): S² / ``reach``² less V², and the variance of the difference.

        There are very many pairs: each step is in the place of the last.

        apart    the differences
        product  of the influences
        """
        lean = self.lean[two] - self.lean[one, None]
        product *= -2
        product += self.own[one, None]
        product += self.own[two]
        lean *= apart
        apart *= apart
        apart *= 1 / self.reach**2 - self.spread
        apart -= np.abs(lean, out=lean)
        apart -= lean
        apart -= product
        return apart, product


def cleared(variance: FloatArray, both: FloatArray) -> FloatArray:
    """The squared errors of differences: what is left of identical runs is rounding.

    both  the sums of the squares of the two runs
    """
    return np.where(variance > _ROUNDING * both, variance, 0.0)


def _field(read: Linear, kept: Sequence[int], values: FloatArray) -> _Field:
    influence = read.influence if len(kept) == len(read.values) else read.influence[:, kept]
    lean = np.einsum("gr,g->r", influence, read.share)
    own = np.einsum("gr,gr->r", influence, influence)
    size = np.where(own > 0, np.sqrt(own), 1.0)
    unit = np.empty(influence.shape, dtype=np.float32)
    np.divide(influence, size, out=unit, casting="same_kind")
    pairs = len(kept) * (len(kept) - 1) / 2
    reach = math.sqrt(2 * math.log(2 * pairs / (1 - LEVEL)))
    spread = float(read.share @ read.share)
    return _Field(values, influence, own, size, unit, lean, spread, reach)


def _near(
    field: _Field, read: Linear, kept: Sequence[int], values: Sequence[float | None]
) -> dict[int, Pair]:
    """By its place, each run that is compared less the next one, if that is compared too."""
    between = np.diff(field.influence, axis=1)
    both = field.own[1:] + field.own[:-1]
    variance = cleared(np.einsum("gr,gr->r", between, between), both)
    lean, by = np.diff(field.lean), np.abs(np.diff(field.values))
    half, found = field.half(variance, lean), np.array([values[i] for i in kept], np.float64)
    apart = found[:-1] - found[1:]
    with np.errstate(divide="ignore", invalid="ignore"):  # of two that do not differ
        p = field.p(by, variance, lean)
    columns = (column.tolist() for column in (apart, apart - half, apart + half, p))
    rest = (repeat(value) for value in ("", 0, None))
    pairs = list(map(Pair._make, zip(kept, kept[1:], *columns, *rest, strict=False)))
    differing = read.differing[kept[:-1]]
    for i in np.flatnonzero((variance == 0) | (differing < DIFFERENT) | np.isinf(half)).tolist():
        pairs[i] = _odd(pairs[i], float(variance[i]), int(differing[i]))
    return {pair.a: pair for pair in pairs if pair.b == pair.a + 1}


def _odd(pair: Pair, variance: float, differing: int) -> Pair:
    """A difference that has no interval, with the reason."""
    found = pair._replace(low=None, high=None)
    if variance == 0 and abs(pair.difference or 0.0) < 1e-12:
        return found._replace(difference=0.0, p=1.0, reason=SAME)
    if variance == 0 or differing < DIFFERENT:
        return found._replace(p=None, reason=FEW if variance else CONSTANT)
    return found._replace(reason=_ENDLESS)


def _pairs(
    values: Sequence[float | None], reasons: Sequence[str], near: Mapping[int, Pair]
) -> tuple[Pair, ...]:
    """Each run less the next one."""
    return tuple(
        near.get(at)
        or Pair(at, at + 1, less(values, at, at + 1), None, None, None, why or reasons[at + 1])
        for at, why in enumerate(reasons[:-1])
    )
