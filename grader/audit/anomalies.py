"""Confidences of a run that few honest systems state."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.audit.pairs import FEW, ranks
from grader.audit.responses import Responses
from grader.model import BoolArray, FloatArray, Task

SMALL = 0.1  # confidences that are never higher are perhaps of another scale
REVERSED = 0.4  # an AUROC below it, and four standard errors below a half, is no accident


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something odd about the confidences of a run."""

    run: str
    team: str
    code: str
    message: str


def anomalies(task: Task, run: Responses) -> Iterator[Anomaly]:
    """Yield what is odd about a run's confidences; nothing of an interval task."""
    at = run.counted
    if task.kind == "interval" or not at.any():
        return
    accuracy, levels = float(run.right[at].mean()), run.levels(at)
    top = float(levels[0][-1])
    if np.isin(levels[0], (0.0, 1.0)).all():
        yield Anomaly(run.run, run.team, "only-0-and-1", "it says 0 or 1 and nothing between")
    elif top <= SMALL and accuracy >= 2 * top:
        shown = f"{top * 100:g} of 100" if task.confidence == "percent" else f"{top:g}"
        what = f"none is above {shown}, though {accuracy:.3f} of its answers are right"
        yield Anomaly(run.run, run.team, "small-scale", f"{what}: another scale?")
    if what := _of_one_answer(run):
        yield Anomaly(run.run, run.team, "of-one-answer", what)
    if what := _upside_down(run.right[at], ranks(levels)):
        yield Anomaly(run.run, run.team, "upside-down", what)


def _of_one_answer(run: Responses) -> str:
    """Of two answers one always has a confidence of at least .5, the other of at most that.

    So it is where the probability of one class stands in the place of that of the answer.
    """
    answers, sure = run.answers[run.counted], run.sure[run.counted]
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


def _upside_down(right: BoolArray, by_rank: FloatArray) -> str:
    """Whether wrong answers have the higher confidences, by much more than chance."""
    n, m = int(right.sum()), int((~right).sum())
    if min(n, m) < FEW:
        return ""
    auroc = (float(by_rank[right].sum()) - n * (n + 1) / 2) / (n * m)
    if auroc > min(REVERSED, 0.5 - 4 * np.sqrt((n + m + 1) / (12 * n * m))):
        return ""
    return f"wrong answers have the higher ones (AUROC {auroc:.3f}): the chance of being wrong?"
