"""Many runs against each other: a bound over all pairs in place of resamples."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from types import MappingProxyType

import numpy as np

from grader.compare import CONSTANT, DIFFERENT, FEW, LEVEL, SAME, less, standing
from grader.linear import Linear, linearised
from grader.model import BoolArray, Comparison, FloatArray, IntArray, Measure, Pair
from grader.stack import Stack

_ROWS = 200  # runs whose pairs with as many others are looked at together
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
    pairs = _pairs(values, reasons, _near(field, read, kept))
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
    influence  shape (runs, clusters): what each cluster adds to the run's value
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
        better = np.zeros(len(self.own), dtype=np.intp)
        worse = np.zeros(len(self.own), dtype=np.intp)
        starts = range(0, len(better), _ROWS)
        some = [slice(start, start + _ROWS) for start in starts]
        for one, two in combinations_with_replacement(some, 2):
            above, below = self._far(one, two)
            better[one] += above.sum(axis=1)
            worse[one] += below.sum(axis=1)
            if two is not one:
                better[two] += below.sum(axis=0)
                worse[two] += above.sum(axis=0)
        return better, worse

    def _far(self, one: slice, two: slice) -> tuple[BoolArray, BoolArray]:
        """Shape (one, two): which of two runs are surely better than one, and which worse.

        Those by whose difference S is S² > ``reach``² V². There are very many pairs: each step is
        in the place of the last.
        """
        both = self.own[one, None] + self.own[two]
        apart = self.values[two] - self.values[one, None]
        lean = self.lean[two] - self.lean[one, None]
        variance = self.influence[one] @ self.influence[two].T
        variance *= -2
        variance += both
        above = apart > 0
        lean *= apart
        apart *= apart
        apart *= 1 / self.reach**2 - self.spread
        apart -= np.abs(lean, out=lean)
        apart -= lean
        far = apart > variance
        both *= _ROUNDING
        far &= variance > both
        return far & above, far & ~above


def cleared(variance: FloatArray, both: FloatArray) -> FloatArray:
    """The squared errors of differences: what is left of identical runs is rounding.

    both  the sums of the squares of the two runs
    """
    return np.where(variance > _ROUNDING * both, variance, 0.0)


def _field(read: Linear, kept: Sequence[int], values: FloatArray) -> _Field:
    influence = read.influence if len(kept) == len(read.values) else read.influence[kept]
    lean = np.einsum("rg,g->r", influence, read.share)
    own = np.einsum("rg,rg->r", influence, influence)
    pairs = len(kept) * (len(kept) - 1) / 2
    reach = math.sqrt(2 * math.log(2 * pairs / (1 - LEVEL)))
    spread = float(read.share @ read.share)
    return _Field(values, influence, own, lean, spread, reach)


_Near = tuple[float, float, float, int]


def _near(field: _Field, read: Linear, kept: Sequence[int]) -> dict[int, _Near]:
    """Of each run that is compared with the next one: variance, half, p, and differing."""
    between = field.influence[1:] - field.influence[:-1]
    both = field.own[1:] + field.own[:-1]
    variance = cleared(np.einsum("rg,rg->r", between, between), both)
    lean, by = np.diff(field.lean), np.abs(np.diff(field.values))
    half = field.half(variance, lean)
    with np.errstate(divide="ignore", invalid="ignore"):  # of two that do not differ
        p = field.p(by, variance, lean)
    columns = (variance, half, p, read.differing[kept[:-1]])
    each = zip(*(column.tolist() for column in columns), strict=True)
    pairs = zip(kept, kept[1:], each, strict=False)
    return {one: found for one, other, found in pairs if other == one + 1}


def _pairs(
    values: Sequence[float | None], reasons: Sequence[str], near: Mapping[int, _Near]
) -> tuple[Pair, ...]:
    """Each run less the next one."""
    found = []
    for at in range(len(values) - 1):
        difference, why = less(values, at, at + 1), reasons[at] or reasons[at + 1]
        if why or difference is None:
            found.append(Pair(at, at + 1, difference, None, None, None, why))
        else:
            found.append(_pair(at, difference, near[at]))
    return tuple(found)


def _pair(at: int, difference: float, near: _Near) -> Pair:
    variance, half, p, differing = near
    if variance == 0 and abs(difference) < 1e-12:
        return Pair(at, at + 1, 0.0, None, None, 1.0, SAME)
    if variance == 0 or differing < DIFFERENT:
        return Pair(at, at + 1, difference, None, None, None, FEW if variance else CONSTANT)
    if math.isinf(half):
        return Pair(at, at + 1, difference, None, None, p, _ENDLESS)
    return Pair(at, at + 1, difference, difference - half, difference + half, p)
