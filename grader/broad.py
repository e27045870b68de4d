"""Many runs against each other: a bound over all pairs in place of resamples."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from grader.compare import (
    CONSTANT,
    DIFFERENT,
    FEW,
    LEVEL,
    SAME,
    differing,
    gated,
    less,
    standing,
    totals_of,
)
from grader.model import Comparison, FloatArray, IntArray, Judged, Measure, Pair, Sums

_ENDLESS = "so few instances tell none of so many pairs apart, whatever the difference"


def broad(
    runs: Sequence[Judged], measure: Measure, apart: Mapping[int, str] = MappingProxyType({})
) -> Comparison:
    """Each run against the next one, and the ranks each may have: all pairs hold with 95%.

    If two runs are exchangeable, the differences between them in each cluster have the signs of
    coins: of sums of such with S the sum and V² that of the squares no more than 2 exp(−x²/2)
    have |S| ≥ x V, however few they are (Hoeffding 1963; Efron 1969). That, times the number of
    pairs, is p. A measure that is no mean is taken for its linearisation. The work is one product
    of matrices, runs² × clusters.

    runs     on the same instances in the same order
    measure  one that has ``sums``
    apart    by place, runs that are left out for a reason known already
    """
    if measure.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    found = [(None, apart[i]) if i in apart else _standing(measure, r) for i, r in enumerate(runs)]
    values, reasons = tuple(value for value, _ in found), tuple(why for _, why in found)
    kept = [i for i, why in enumerate(reasons) if not why]
    if len(kept) < 2:
        pairs = tuple(
            Pair(i, i + 1, less(values, i, i + 1), None, None, None, reasons[i] or reasons[i + 1])
            for i in range(len(runs) - 1)
        )
        return Comparison(pairs, (None,) * len(runs), 0, None, values, reasons, adjacent=True)
    field = _field([runs[i] for i in kept], measure.sums)
    place = {run: i for i, run in enumerate(kept)}
    pairs = tuple(_pair(field, values, reasons, place, i) for i in range(len(runs) - 1))
    sign = -1 if measure.better == "lower" else 1
    better, worse = field.sure([sign * (values[i] or 0.0) for i in kept])
    ranks = tuple(
        (1 + int(better[place[i]]), len(runs) - int(worse[place[i]])) if i in place else None
        for i in range(len(runs))
    )
    return Comparison(pairs, ranks, 0, field.reach, values, reasons, adjacent=True)


def _standing(measure: Measure, run: Judged) -> tuple[float | None, str]:
    """As ``standing``, by the sums alone where a run may be compared."""
    if measure.sums is None or measure.parts or run.waiting.any() or gated(measure, run):
        return standing(measure, run)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(measure.sums.value(measure.sums.features(run).sum(axis=0)))
    return (value, "") if math.isfinite(value) else standing(measure, run)


@dataclass(frozen=True, slots=True)
class _Field:
    """Runs that are compared: their sums in each cluster, and what a difference needs.

    totals  shape (runs, clusters, k)
    error   shape (runs, runs): standard errors of the differences
    lean    shape (runs,): the covariance of a run's influence and the size of its cluster
    spread  the sum of the squared shares of the instances that each cluster has
    reach   the |S|/V that no pair goes beyond in 95% of cases
    """

    totals: FloatArray
    error: FloatArray
    lean: FloatArray
    spread: float
    reach: float

    @property
    def pairs(self) -> int:
        return len(self.lean) * (len(self.lean) - 1) // 2

    def half(self, error: FloatArray, lean: FloatArray) -> FloatArray:
        """Half of the interval of a difference; infinite where the clusters are too few."""
        square = self.reach**2
        rest = 1 - square * self.spread
        if rest <= 0:
            return np.full(np.shape(error), np.inf)
        tilt = square * np.abs(lean)
        return np.asarray((tilt + np.sqrt(tilt**2 + rest * square * error**2)) / rest)

    def p(self, difference: float, error: float, lean: float) -> float:
        """The adjusted p of a difference."""
        by = abs(difference)
        square = by**2 / (error**2 + 2 * by * abs(lean) + by**2 * self.spread)
        return min(1.0, self.pairs * 2 * math.exp(-square / 2))

    def sure(self, values: Sequence[float]) -> tuple[IntArray, IntArray]:
        """How many runs are surely better than each, and surely worse. More is better."""
        at = np.array(values)
        better = np.zeros(len(at), dtype=np.intp)
        worse = np.zeros(len(at), dtype=np.intp)
        for i, mine in enumerate(at):  # a row at a time: only the errors are as many as pairs
            apart = at - mine
            far = np.abs(apart) > self.half(self.error[i], self.lean - self.lean[i])
            far &= self.error[i] > 0
            better[i] = np.count_nonzero(far & (apart > 0))
            worse[i] = np.count_nonzero(far & (apart < 0))
        return better, worse


def _field(runs: Sequence[Judged], sums: Sums) -> _Field:
    groups = runs[0].groups
    totals = totals_of(runs, sums, groups)
    influence = np.einsum("rgk,rk->rg", totals, sums.gradient(totals.sum(axis=1)))
    share = np.bincount(groups) / len(groups)
    with threadpool_limits(1, "blas"):  # so no sum hangs on threads
        gram = influence @ influence.T
        lean = influence @ share
    own = np.diagonal(gram)
    both = own[:, None] + own
    variance = both - 2 * gram
    # What is left of identical runs is rounding.
    error = np.sqrt(np.where(variance > 1e-12 * both, variance, 0.0))
    pairs = len(runs) * (len(runs) - 1) / 2
    reach = math.sqrt(2 * math.log(2 * pairs / (1 - LEVEL)))
    return _Field(totals, error, lean, float(share @ share), reach)


def _pair(
    field: _Field,
    values: Sequence[float | None],
    reasons: Sequence[str],
    place: Mapping[int, int],
    at: int,
) -> Pair:
    """A run less the next one."""
    difference, why = less(values, at, at + 1), reasons[at] or reasons[at + 1]
    if why or difference is None:
        return Pair(at, at + 1, difference, None, None, None, why)
    a, b = place[at], place[at + 1]
    error, lean = float(field.error[a, b]), float(field.lean[a] - field.lean[b])
    if error == 0 and abs(difference) < 1e-12:
        return Pair(at, at + 1, 0.0, None, None, 1.0, SAME)
    if error == 0 or differing(field.totals[a], field.totals[b]) < DIFFERENT:
        return Pair(at, at + 1, difference, None, None, None, FEW if error else CONSTANT)
    half = float(field.half(np.array(error), np.array(lean)))
    p = field.p(difference, error, lean)
    if math.isinf(half):
        return Pair(at, at + 1, difference, None, None, p, _ENDLESS)
    return Pair(at, at + 1, difference, difference - half, difference + half, p)
