"""Many runs against each other: a bound over all pairs in place of resamples."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from types import MappingProxyType

import numpy as np

from grader.compare import CONSTANT, DIFFERENT, FEW, SAME, less, standing
from grader.hoeffding import Field, cleared, field_of
from grader.linear import Linear, linearised
from grader.model import Comparison, Measure, Pair
from grader.stack import Stack

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
    field = field_of(read, kept, sign * np.array([values[i] or 0.0 for i in kept]))
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


def _near(
    field: Field, read: Linear, kept: Sequence[int], values: Sequence[float | None]
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
