"""How alike two runs are: by their wrong answers, their confidences, and the order of these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grader.audit.responses import Responses
from grader.model import BoolArray, FloatArray, IntArray

FEW = 20  # instances, or wrong answers, below which nothing is said
# From here on a pair is listed. Measured on honest runs and on altered copies: see DESIGN.md.
ERRORS, EQUAL, ORDER = 0.88, 0.8, 0.95


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike two runs are on the ``n`` instances that both answered; None is not known.

    errors  Loevinger's H of their wrong answers: 0 by accident, 1 if the better run makes no
            mistake that the other does not make in the same words
    equal   Cohen's kappa of their confidences as labels: 1 if each equals the other's
    order   Spearman's correlation of their confidences
    why     what makes the pair worth a question; empty if nothing does
    """

    a: Responses
    b: Responses
    n: int
    errors: float | None
    equal: float | None
    order: float | None
    why: tuple[str, ...]

    @property
    def across(self) -> bool:
        """Whether the runs are of two teams."""
        return self.a.team != self.b.team


def similarities(runs: Sequence[Responses]) -> Iterator[Similarity]:
    """Yield every pair of runs with how alike they are."""
    for a, b in combinations(runs, 2):
        yield similarity(a, b)


def similarity(a: Responses, b: Responses) -> Similarity:
    """How alike two runs are, on the instances that both answered."""
    at = a.counted & b.counted
    n = int(at.sum())
    errors = equal_errors(a.answers[at] == b.answers[at], ~a.right[at], ~b.right[at])
    equal = order = None
    if n >= FEW:
        mine, theirs = a.levels(at), b.levels(at)
        equal = _kappa(a.sure[at] == b.sure[at], mine, theirs)
        order = _correlation(ranks(mine), ranks(theirs))
    found = (("errors", errors, ERRORS), ("confidences", equal, EQUAL), ("order", order, ORDER))
    why = [key for key, value, least in found if value is not None and value >= least]
    if a.content == b.content:
        why.insert(0, "content")
    return Similarity(a, b, n, errors, equal, order, tuple(why))


def equal_errors(same: BoolArray, mine: BoolArray, theirs: BoolArray) -> float | None:
    """H = (P(both wrong, in the same words) − e·f) / (min(e, f) − e·f), of error rates e and f.

    That is Loevinger's coefficient of a pair (1948) on errors, where errors in other words are no
    agreement: what the two accuracies explain by themselves counts for nothing, nor against.
    None with fewer than FEW wrong answers on a side, or where one side has no right answer.

    same, mine, theirs  shape (n,): equal answers, the one's wrong answers, the other's
    """
    if min(mine.sum(), theirs.sum()) < FEW or mine.all() or theirs.all():
        return None
    e, f = float(mine.mean()), float(theirs.mean())
    both = float((same & mine & theirs).mean())
    return (both - e * f) / (min(e, f) - e * f)


def _kappa(
    same: BoolArray,
    mine: tuple[FloatArray, IntArray, IntArray],
    theirs: tuple[FloatArray, IntArray, IntArray],
) -> float | None:
    """Cohen's kappa (1960) of two runs' confidences; None where both always say the same one."""
    _, i, j = np.intersect1d(mine[0], theirs[0], assume_unique=True, return_indices=True)
    chance = float(np.dot(mine[2][i], theirs[2][j])) / len(same) ** 2
    return None if chance >= 1 else (float(same.mean()) - chance) / (1 - chance)


def ranks(of: tuple[FloatArray, IntArray, IntArray]) -> FloatArray:
    """Shape (n,): ranks from 1, the mean rank where values tie."""
    _, place, size = of
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])


def _correlation(x: FloatArray, y: FloatArray) -> float | None:
    """Pearson's correlation, of ranks Spearman's; None where one side is constant."""
    x, y = x - x.mean(), y - y.mean()
    length = float(np.sqrt(np.dot(x, x) * np.dot(y, y)))
    return float(np.dot(x, y)) / length if length else None
