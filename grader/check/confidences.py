"""Rules about confidences and class probabilities."""

import math
from collections.abc import Iterator, Sequence

from grader.check.layout import Layout, answer, probabilities, text, value
from grader.confidence import Unreadable, read_confidence
from grader.judge import abstains
from grader.model import Problem, Raw, Task

SUM_SLACK = 1e-3  # rows of class probabilities rounded to a few digits add up to within this
FLOAT_SLACK = 1e-12  # 0.334 − 0.333 is more than 0.001 in binary


def bad_confidence(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    column = at.task.run.confidence
    for raw in raws if at.stated else ():
        yield from _read(raw, column, at.task, "")


def bad_probability(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    for raw in raws:
        for _, column in at.classes:
            if text(raw, column).strip():
                yield from _read(raw, column, at.task, f"{column[:40]!r}: ")


def bad_sum(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    for raw in raws if at.classes else ():
        given = probabilities(raw, at)
        if given is None:
            continue
        total = math.fsum(given.values())
        if not given:
            yield Problem("bad-sum", "no class has a probability", raw.line, "p:*")
        elif abs(total - 1) > SUM_SLACK + FLOAT_SLACK:
            yield Problem("bad-sum", f"probabilities add up to {total:.6g}", raw.line, "p:*")


def no_probability(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """An answer without a probability of its own has no confidence; nor may it have two."""
    refuses = abstains(at.task)
    for raw in raws if at.classes else ():
        given = probabilities(raw, at)
        if not given:
            continue
        mine = answer(raw, at, given)
        if not mine.strip() or (refuses(mine) and at.stated):
            continue
        if mine not in given:
            said = f"{mine[:60]!r} has no probability of its own on this line"
            yield Problem("no-probability", said, raw.line, at.task.run.answer)
            continue
        stated = value(raw, at.task.run.confidence, at.task) if at.stated else None
        if stated is not None and abs(stated - given[mine]) > SUM_SLACK + FLOAT_SLACK:
            said = f"confidence {stated:g} is not the answer's probability {given[mine]:g}"
            yield Problem("two-confidences", said, raw.line, at.task.run.confidence)


def _read(raw: Raw, column: str, task: Task, prefix: str) -> Iterator[Problem]:
    try:
        read_confidence(text(raw, column), task)
    except Unreadable as e:
        yield Problem(e.code, f"{prefix}{e}", raw.line, column)
