"""Runs that say nearly the same, and confidences that look odd: for organisers alone. Pure.

Nothing here is a proof. Two teams may well use the same model; what is listed is worth a question.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from grader.check import check, records
from grader.grade import content
from grader.judge import judge, normalise, number
from grader.model import BoolArray, FloatArray, Gold, IntArray, Rejected, Run, Task, Upload

FEW = 20  # instances, or wrong answers, below which nothing is said
# From here on a pair is listed. Measured on honest runs and on altered copies: see DESIGN.md.
ERRORS, EQUAL, ORDER = 0.88, 0.8, 0.95
SMALL = 0.1  # confidences that are never higher are perhaps of another scale
REVERSED = 0.4  # an AUROC below it, and four standard errors below a half, is no accident


@dataclass(frozen=True)
class Said:
    """What a run says, in gold order, shape (n,).

    answers  one number for each distinct answer of all runs that were read together
    right    whether it is right
    sure     the confidence; in an interval task the width of the interval
    counted  whether the instance is scored and was answered
    """

    run: str
    team: str
    withdrawn: bool
    answers: IntArray
    right: BoolArray
    sure: FloatArray
    counted: BoolArray
    content: str

    def levels(self, at: BoolArray) -> tuple[FloatArray, IntArray, IntArray]:
        """The distinct values of ``sure`` there, which each instance has, and how often each."""
        if np.array_equal(at, self.counted):
            return self._levels
        return np.unique(self.sure[at], return_inverse=True, return_counts=True)

    @cached_property
    def _levels(self) -> tuple[FloatArray, IntArray, IntArray]:
        return np.unique(self.sure[self.counted], return_inverse=True, return_counts=True)


@dataclass(frozen=True, slots=True)
class Kin:
    """How alike two runs are on the ``n`` instances that both answered; None is not known.

    errors  Loevinger's H of their wrong answers: 0 by accident, 1 if the better run makes no
            mistake that the other does not make in the same words
    equal   Cohen's kappa of their confidences as labels: 1 if each equals the other's
    order   Spearman's correlation of their confidences
    why     what makes the pair worth a question; empty if nothing does
    """

    a: Said
    b: Said
    n: int
    errors: float | None
    equal: float | None
    order: float | None
    why: tuple[str, ...]

    @property
    def across(self) -> bool:
        """Whether the runs are of two teams."""
        return self.a.team != self.b.team


@dataclass(frozen=True, slots=True)
class Odd:
    """Something odd about the confidences of a run."""

    run: str
    team: str
    code: str
    message: str


def read(
    task: Task, gold: Gold, uploads: Iterable[tuple[str, Upload]]
) -> tuple[tuple[Said, ...], dict[str, str]]:
    """What stored runs say, read from their bytes one at a time.

    returns  the runs, and why others could not be read, by their slug
    """
    said: list[Said] = []
    unread: dict[str, str] = {}
    codes: dict[object, int] = {}
    for slug, upload in uploads:
        match check(records(upload.payload, task, gold), task, gold):
            case Rejected() as no:
                unread[slug] = no.problems[0].message
            case run:
                answers = np.array([codes.setdefault(a, len(codes)) for a in _spoken(task, run)])
                there = np.array([a is not None for a in run.answers], dtype=np.bool_)
                said.append(
                    Said(
                        slug,
                        upload.team,
                        "withdrawn" in upload.flags,
                        answers.astype(np.intp),
                        judge(task, gold, run)[0],
                        _sure(task, run),
                        gold.scored & there,
                        content(run),
                    )
                )
    return tuple(said), unread


def _spoken(task: Task, run: Run) -> Sequence[object]:
    """The answers, equal where the task holds them for the same; in an interval task the ends."""
    if task.kind == "interval":
        return [tuple(ends) for ends in run.bounds.tolist()]
    if task.answers == "normalised":
        return [a if a is None else normalise(a) for a in run.answers]
    if task.answers == "numeric":
        values = [None if a is None else number(a.strip()) for a in run.answers]
        return [a if v is None else v for a, v in zip(run.answers, values, strict=True)]
    return run.answers


def _sure(task: Task, run: Run) -> FloatArray:
    if task.kind != "interval":
        return run.confidence
    with np.errstate(invalid="ignore"):  # from inf to inf
        return np.nan_to_num(run.bounds[:, 1] - run.bounds[:, 0], nan=0.0, posinf=np.inf)


def alike(runs: Sequence[Said]) -> Iterator[Kin]:
    """Yield every pair of runs with how alike they are."""
    for a, b in combinations(runs, 2):
        yield kin(a, b)


def kin(a: Said, b: Said) -> Kin:
    """How alike two runs are, on the instances that both answered."""
    at = a.counted & b.counted
    n = int(at.sum())
    errors = equal_errors(a.answers[at] == b.answers[at], ~a.right[at], ~b.right[at])
    equal = order = None
    if n >= FEW:
        mine, theirs = a.levels(at), b.levels(at)
        equal = _kappa(a.sure[at] == b.sure[at], mine, theirs)
        order = _correlation(_ranks(mine), _ranks(theirs))
    found = (("errors", errors, ERRORS), ("confidences", equal, EQUAL), ("order", order, ORDER))
    why = [key for key, value, least in found if value is not None and value >= least]
    if a.content == b.content:
        why.insert(0, "content")
    return Kin(a, b, n, errors, equal, order, tuple(why))


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


def _ranks(of: tuple[FloatArray, IntArray, IntArray]) -> FloatArray:
    """Shape (n,): ranks from 1, the mean rank where values tie."""
    _, place, size = of
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])


def _correlation(x: FloatArray, y: FloatArray) -> float | None:
    """Pearson's correlation, of ranks Spearman's; None where one side is constant."""
    x, y = x - x.mean(), y - y.mean()
    length = float(np.sqrt(np.dot(x, x) * np.dot(y, y)))
    return float(np.dot(x, y)) / length if length else None


def odd(task: Task, said: Said) -> Iterator[Odd]:
    """Yield what is odd about a run's confidences; nothing of an interval task."""
    at = said.counted
    if task.kind == "interval" or not at.any():
        return
    accuracy, levels = float(said.right[at].mean()), said.levels(at)
    top = float(levels[0][-1])
    if np.isin(levels[0], (0.0, 1.0)).all():
        yield Odd(said.run, said.team, "only-0-and-1", "it says 0 or 1 and nothing between")
    elif top <= SMALL and accuracy >= 2 * top:
        shown = f"{top * 100:g} of 100" if task.confidence == "percent" else f"{top:g}"
        what = f"none is above {shown}, though {accuracy:.3f} of its answers are right"
        yield Odd(said.run, said.team, "small-scale", f"{what}: another scale?")
    if what := _of_one_answer(said):
        yield Odd(said.run, said.team, "of-one-answer", what)
    if what := _upside_down(said.right[at], _ranks(levels)):
        yield Odd(said.run, said.team, "upside-down", what)


def _of_one_answer(said: Said) -> str:
    """Of two answers one always has a confidence of at least .5, the other of at most that.

    So it is where the probability of one class stands in the place of that of the answer.
    """
    answers, sure = said.answers[said.counted], said.sure[said.counted]
    first, second = answers == answers[0], answers != answers[0]
    if min(first.sum(), second.sum()) < FEW or len(np.unique(answers[second])) > 1:
        return ""
    for low, high in ((sure[first], sure[second]), (sure[second], sure[first])):
        if low.max() <= 0.5 <= high.min() and low.min() < 0.5 < high.max():
            return (
                "one of its two answers never has more than 0.5, the other never less: is it the "
                "probability of one label, not of the answer?"
            )
    return ""


def _upside_down(right: BoolArray, ranks: FloatArray) -> str:
    """Whether wrong answers have the higher confidences, by much more than chance."""
    n, m = int(right.sum()), int((~right).sum())
    if min(n, m) < FEW:
        return ""
    auroc = (float(ranks[right].sum()) - n * (n + 1) / 2) / (n * m)
    if auroc > min(REVERSED, 0.5 - 4 * np.sqrt((n + m + 1) / (12 * n * m))):
        return ""
    return f"wrong answers have the higher ones (AUROC {auroc:.3f}): the chance of being wrong?"
