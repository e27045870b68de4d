"""Decide which answers are right."""

import re
import unicodedata
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

import numpy as np

from grader.model import BoolArray, FloatArray, Gold, Run, Task

_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")
LONGEST = 400  # characters of a number; a float64 needs at most 17 digits
_EXACT = Context(prec=2 * LONGEST, Emax=MAX_EMAX, Emin=MIN_EMIN)  # no exponent overflows


def normalise(answer: str) -> str:
    """An answer for comparison: NFKC, case folded, outer space off, inner space single.

    Never empty for a non-empty answer: what would vanish stays as it was written.

    >>> normalise("  The  CAT "), normalise("ﬁne"), normalise("  ")
    ('the cat', 'fine', '  ')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", answer).casefold())
    return " ".join(folded.split()) or answer


def number(text: str) -> Decimal | None:
    """A plain decimal or scientific number in ASCII, exactly; None if it is not one.

    >>> number("0.50"), number("1e-3"), number("nan"), number("1_0"), number("0x1")
    (Decimal('0.50'), Decimal('0.001'), None, None, None)
    """
    if len(text) > LONGEST or not _PLAIN.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _close(tolerance: Decimal) -> Callable[[str, str], bool]:
    def close(answer: str, accepted: str) -> bool:
        mine, theirs = number(answer.strip()), number(accepted.strip())
        if mine is None or theirs is None:
            return False
        return _EXACT.abs(_EXACT.subtract(mine, theirs)) <= tolerance

    return close


def matcher(task: Task) -> Callable[[str, str], bool]:
    """Whether an answer matches an accepted one, by the task's ``answers`` rule.

    exact and choice: letter for letter; normalised: equal after ``normalise`` on both sides;
    numeric: plain numbers no further apart than the tolerance, compared exactly; judged: the
    same letters, but for outer spaces.
    """
    if task.answers == "numeric":
        return _close(Decimal(task.tolerance))
    if task.answers == "normalised":
        return lambda answer, accepted: normalise(answer) == normalise(accepted)
    if task.answers == "judged":
        return lambda answer, accepted: answer.strip() == accepted
    return lambda answer, accepted: answer == accepted


def abstains(task: Task) -> Callable[[str], bool]:
    """Whether an answer is one of the task's declared refusals, compared as texts are."""
    if task.answers == "normalised":
        refusals = {normalise(a) for a in task.abstain}
        return lambda answer: normalise(answer) in refusals
    return lambda answer: answer in task.abstain


def outer_space(answer: str, task: Task) -> bool:
    """Whether an answer begins or ends with a space that may be why it matches nothing.

    A label or refusal that is declared with such a space is meant.

    >>> outer_space("yes ", Task("t", "T")), outer_space("yes ", Task("t", "T", labels=("yes ",)))
    (True, False)
    """
    if answer == answer.strip() or task.answers not in ("exact", "choice"):
        return False
    return answer not in task.labels and answer not in task.abstain


def sought(gold: Gold) -> FloatArray:
    """Shape (n,): the gold values of an interval task, NaN where there is none."""
    return np.array([float(a[0]) if a else np.nan for a in gold.answers], dtype=np.float64)


def judge(task: Task, gold: Gold, run: Run) -> tuple[BoolArray, BoolArray]:
    """Which answers are right, and which are refusals (always wrong). Shapes (n,), gold order.

    An answer declines by what it says, or the run by its form.

    In an interval task an instance is right if its interval, closed, covers the gold value.
    """
    if task.kind == "interval":
        low, high = run.bounds.T
        value = sought(gold)
        return (low <= value) & (value <= high), np.zeros(len(value), dtype=np.bool_)
    declines = declined(task, run)
    answers = judged_as(task, run)
    if task.answers == "judged":
        known = zip(answers, gold.answers, strict=True)
        found = [a is not None and a.strip() in accepted for a, accepted in known]
    else:
        same = matcher(task)
        found = [
            a is not None and any(same(a, accepted) for accepted in g)
            for a, g in zip(answers, gold.answers, strict=True)
        ]
    return np.array(found, dtype=np.bool_) & ~declines, declines


def declined(task: Task, run: Run) -> BoolArray:
    """Which answers are refusals, by what they say or by the run's form. Shape (n,)."""
    refuses = abstains(task)
    refusals = {a for a in set(run.answers) if a is not None and refuses(a)}
    found = np.array([a in refusals for a in run.answers], dtype=np.bool_)
    return found | run.refused if run.refused.size else found


def judged_as(task: Task, run: Run) -> tuple[str | None, ...]:
    """The answers as judgements know them: where each run's are judged apart, by its bytes."""
    if task.answers != "judged" or task.judging.unit == "answer":
        return run.answers
    return tuple(a if a is None else run.digest for a in run.answers)


def waiting(task: Task, gold: Gold, run: Run) -> BoolArray:
    """Which answers nobody has judged yet, shape (n,); empty if all are, or none has to be.

    A refusal is wrong without being judged.
    """
    if task.answers != "judged":
        return np.empty(0, dtype=np.bool_)
    known = zip(judged_as(task, run), gold.answers, gold.rejected, strict=True)
    found = np.array(
        [
            a is not None and (said := a.strip()) not in right and said not in wrong
            for a, right, wrong in known
        ],
        dtype=np.bool_,
    )
    found &= ~declined(task, run)
    return found if found.any() else np.empty(0, dtype=np.bool_)
