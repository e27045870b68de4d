"""Rules about confidences and class probabilities."""

import math
from collections.abc import Iterator, Sequence

from grader.check.layout import Layout, answer, text, value
from grader.confidence import Unreadable, read_confidence
from grader.judge import abstains
from grader.model import Problem, Raw, Task

SUM_SLACK = 1e-3  # rows of class probabilities rounded to a few digits add up to within this
FLOAT_SLACK = 1e-12  # 0.334 − 0.333 is more than 0.001 in binary


def bad_confidence(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Confidences that are none. Beside class probabilities one may be left out."""
    column = at.task.run.confidence
    for raw in raws if at.stated else ():
        if not at.classes or text(raw, column).strip():
            yield from _read(raw, column, at.task, "")


def bad_probability(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    for raw, given in at.offers(raws):
        if given is not None:
            continue
        for _, column in at.classes:
            if text(raw, column).strip():
                yield from _read(raw, column, at.task, f"{column[:40]!r}: ")


def bad_sum(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Probabilities that do not add up to 1. A refusal needs none at all."""
    refuses = abstains(at.task)
    for raw, given in at.offers(raws):
        if given is None:
            continue
        total = math.fsum(given.values())
        if not given:
            if at.task.run.answer not in raw.fields or not refuses(answer(raw, at.task, given)):
                yield Problem("bad-sum", "no class has a probability", raw.line, "p:*")
        elif abs(total - 1) > SUM_SLACK + FLOAT_SLACK:
            yield Problem("bad-sum", f"probabilities add up to {total:.6g}", raw.line, "p:*")


def no_probability(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """An answer without a probability of its own has no confidence; nor may it have two."""
    refuses = abstains(at.task)
    run = at.task.run
    for raw, given in at.offers(raws):
        if given is None:
            continue
        mine = answer(raw, at.task, given)
        refusal = run.answer in raw.fields and refuses(mine)
        if mine in given:
            yield from _second(raw, given[mine], at.task)
        elif refusal and not text(raw, run.confidence).strip():
            said = f"{mine[:60]!r} has no probability: a refusal needs a confidence of its own"
            yield Problem("no-probability", said, raw.line, run.answer)
        elif given and mine.strip() and not refusal:
            said = f"{mine[:60]!r} has no probability of its own on this line"
            yield Problem("no-probability", said, raw.line, run.answer)


def _second(raw: Raw, probability: float, task: Task) -> Iterator[Problem]:
    """Yield a confidence on the line that is not the answer's probability."""
    column = task.run.confidence
    stated = value(raw, column, task) if text(raw, column).strip() else None
    if stated is not None and abs(stated - probability) > SUM_SLACK + FLOAT_SLACK:
        said = f"confidence {stated:g} is not the answer's probability {probability:g}"
        yield Problem("two-confidences", said, raw.line, column)


def _read(raw: Raw, column: str, task: Task, prefix: str) -> Iterator[Problem]:
    try:
        read_confidence(text(raw, column), task)
    except Unreadable as e:
        yield Problem(e.code, f"{prefix}{e}", raw.line, column)
