"""Whether two boards put the same runs in the same order."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from grader.board.values import shown
from grader.model import Score

_FEW = "there are not two runs to put in an order"
_TIED = "under one of the two all runs are equal"


def tau_b(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings of the same things; None where one of them ranks nothing.

    >>> tau_b([1, 2, 3], [1, 3, 2]), tau_b([1, 1], [1, 2])
    (0.3333333333333333, None)

    Kendall, The Treatment of Ties in Ranking Problems, Biometrika 33, 1945.
    """
    pairs = list(combinations(zip(one, other, strict=True), 2))
    signs = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in pairs]
    first, second = (sum(abs(sign[side]) for sign in signs) for side in (0, 1))
    if not first or not second:
        return None
    return sum(a * b for a, b in signs) / math.sqrt(first * second)


def concordance(
    values: Mapping[str, tuple[Score, Score]], digits: int
) -> tuple[float | None, str]:
    """The tau-b of two boards as they are printed, and why there is none.

    values  the scores of each run on the two; a run that has none on one of them is left out
    """
    pairs = [
        (float(shown(a.value, digits)), float(shown(b.value, digits)))
        for a, b in values.values()
        if a.value is not None and b.value is not None
    ]
    if len(pairs) < 2:
        return None, _FEW
    found = tau_b(*zip(*pairs, strict=True))
    return found, "" if found is not None else _TIED
