"""Rules about confidences and class probabilities."""

import math
from collections.abc import Iterator

import numpy as np

from grader.check.layout import Layout
from grader.confidence import Unreadable, read_confidence
from grader.model import Problem, Task

SUM_SLACK = 1e-3  # rows of class probabilities rounded to a few digits add up to within this
FLOAT_SLACK = 1e-12  # 0.334 − 0.333 is more than 0.001 in binary


def bad_confidence(at: Layout) -> Iterator[Problem]:
    """Confidences that are none. Beside class probabilities one may be left out."""
    if not at.stated:
        return
    column = at.task.run.confidence
    for i in np.flatnonzero(np.isnan(at.sure)).tolist():
        text = at.texts(column)[i]
        if not at.classes or text.strip():
            yield from _unreadable(text, at.task, (at.lines[i], column), "")


def bad_probability(at: Layout) -> Iterator[Problem]:
    for i in np.flatnonzero(at.unread).tolist():
        for _, column in at.classes:
            text = at.texts(column)[i]
            if text.strip():
                place = at.lines[i], column
                yield from _unreadable(text, at.task, place, f"{column[:40]!r}: ")


def bad_sum(at: Layout) -> Iterator[Problem]:
    """Probabilities that do not add up to 1. A refusal needs none at all."""
    if not at.classes:
        return
    none = np.isnan(at.table).all(axis=1)
    off = np.abs(np.nansum(at.table, axis=1) - 1) > SUM_SLACK + FLOAT_SLACK
    for i in np.flatnonzero((none | off) & ~at.unread).tolist():
        given = at.table[i][~np.isnan(at.table[i])]
        if given.size:
            said = f"probabilities add up to {math.fsum(given):.6g}"
            yield Problem("bad-sum", said, at.lines[i], "p:*")
        elif not at.refuses(i):
            yield Problem("bad-sum", "no class has a probability", at.lines[i], "p:*")


def no_probability(at: Layout) -> Iterator[Problem]:
    """An answer without a probability of its own has no confidence; nor may it have two."""
    if not at.classes:
        return
    run = at.task.run
    for i in np.flatnonzero((at.own < 0) & ~at.unread).tolist():
        mine, line = at.answers[i], at.lines[i]
        if at.refuses(i):
            if not at.texts(run.confidence)[i].strip():
                said = f"{mine[:60]!r} has no probability: a refusal needs a confidence of its own"
                yield Problem("no-probability", said, line, run.answer)
        elif mine.strip() and not np.isnan(at.table[i]).all():
            said = f"{mine[:60]!r} has no probability of its own on this line"
            yield Problem("no-probability", said, line, run.answer)
    yield from _two(at)


def _two(at: Layout) -> Iterator[Problem]:
    """Yield each confidence that stands beside the probability of the answer and is not it."""
    own = at.table[np.arange(len(at.own)), at.own]
    apart = np.abs(at.sure - own) > SUM_SLACK + FLOAT_SLACK
    column = at.task.run.confidence
    for i in np.flatnonzero((at.own >= 0) & ~at.unread & apart).tolist():
        said = f"confidence {at.sure[i]:g} is not the answer's probability {own[i]:g}"
        yield Problem("two-confidences", said, at.lines[i], column)


def _unreadable(text: str, task: Task, place: tuple[int, str], prefix: str) -> Iterator[Problem]:
    try:
        read_confidence(text, task)
    except Unreadable as e:
        yield Problem(e.code, f"{prefix}{e}", *place)
