"""Conformal quantiles: how far to widen intervals so that they cover as often as they say.

Split conformal prediction on intervals: Romano, Patterson and Candès, Conformalized Quantile
Regression, NeurIPS 2019. Equalised (Mondrian): the same within each group, with the group's own n.
"""

import math
from collections.abc import Hashable, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TypeVar

import numpy as np

from grader.model import FloatArray, IntArray

_NINE = Context(prec=9, rounding=ROUND_CEILING)
Group = TypeVar("Group", bound=Hashable)


def place(n: int, alpha: Fraction) -> int:
    """The k of the quantile: the k-th smallest of n scores, ceil((n + 1)(1 − α)).

    >>> place(9, Fraction("0.1")), place(8, Fraction("0.1")), place(24, Fraction("0.12"))
    (9, 9, 22)
    """
    if not 0 < alpha < 1:
        raise ValueError("alpha is between 0 and 1")
    return math.ceil((n + 1) * (1 - alpha))


def kth_score(scores: FloatArray, alpha: Fraction) -> float:
    """The k-th smallest score; inf if there are fewer than k: no finite one would do.

    alpha  exact, as a fraction: in floats (n + 1)(1 − α) may land above a whole number

    Of a new score exchangeable with these at least 1 − α are at most the quantile, in expectation.

    >>> kth_score(np.arange(1.0, 10.0), Fraction("0.1")), kth_score(np.ones(8), Fraction("0.1"))
    (9.0, inf)
    """
    k = place(len(scores), alpha)
    return math.inf if k > len(scores) else float(np.sort(scores)[k - 1])


def scores(low: FloatArray, high: FloatArray, gold: FloatArray) -> FloatArray:
    """Shape (n,): how far each gold value lies outside its interval, negative inside."""
    return np.maximum(low - gold, gold - high)


def raised(quantile: float) -> float:
    """The quantile in at most nine significant digits, never less: what it covered stays covered.

    Differences of decimals end in noise, which nobody can quote.

    >>> raised(0.5799999999999983), raised(18.1), raised(-2 / 3), raised(math.inf)
    (0.58, 18.1, -0.666666666, inf)
    """
    if not math.isfinite(quantile):
        return quantile
    return float(Decimal(repr(quantile)).normalize(_NINE))


def equalised(
    found: FloatArray, groups: Sequence[Group], alpha: Fraction
) -> dict[Group, tuple[int, float]]:
    """For each group, in the order they come up: its n and its own quantile.

    >>> equalised(np.array([1.0, 5.0, 2.0]), ["a", "b", "a"], Fraction("0.5"))
    {'a': (2, 2.0), 'b': (1, 5.0)}
    """
    inside: dict[Group, list[float]] = {group: [] for group in groups}
    for group, score in zip(groups, found.tolist(), strict=True):
        inside[group].append(score)
    return {g: (len(mine), kth_score(np.array(mine), alpha)) for g, mine in inside.items()}


def edges(attribute: FloatArray, most: int, least: int) -> tuple[float, ...]:
    """Where to cut a numeric attribute: at most ``most`` bins with ``least`` values or more each.

    Bins are of about equal size; equal values are never parted. Each edge is the last value of its
    bin. They depend on the attribute alone: edges chosen by the gold would break
    coverage.

    >>> edges(np.array([1.0, 1.0, 1.0, 2.0, 3.0, 4.0]), 3, 2), edges(np.ones(5), 3, 1)
    ((1.0,), ())
    """
    values, size = np.unique(attribute, return_counts=True)
    n = int(size.sum())
    wanted = max(least, 1, math.ceil(n / most))
    found, mine, left = [], 0, n
    for value, many in zip(values.tolist(), size.tolist(), strict=True):
        mine, left = mine + many, left - many
        if mine >= wanted and left >= max(least, 1):
            found.append(value)
            mine = 0
    return tuple(found)


def binned(attribute: FloatArray, cuts: Sequence[float]) -> IntArray:
    """Shape (n,): the bin of each value; the first bin ends with the first edge, and so on.

    >>> binned(np.array([0.0, 1.0, 1.5, 9.0]), (1.0, 3.0)).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(np.array(cuts), attribute, side="left")


def widened(low: FloatArray, high: FloatArray, by: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The intervals with both ends moved out by the quantile of their group, in if it is negative.

    An infinite end stays. One that would end before it begins becomes its own middle.

    >>> [x.tolist() for x in widened(np.zeros(3), np.ones(3), np.array([1.0, -0.75, np.inf]))]
    [[-1.0, 0.5, -inf], [2.0, 0.5, inf]]
    """
    with np.errstate(invalid="ignore"):  # inf − inf, where an end stays
        lower = np.where(np.isinf(low), low, low - by)
        upper = np.where(np.isinf(high), high, high + by)
        middle = low / 2 + high / 2
    crossed = lower > upper
    return np.where(crossed, middle, lower), np.where(crossed, middle, upper)
