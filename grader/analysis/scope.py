"""Does a run know what lies outside its task? The task's rejection label as what is sought."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from grader.measures.ranking import auroc
from grader.model import BoolArray, Flagged, FloatArray, Gold, Judged, Run, Scope, Task

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Detector:
    """Which instances are sought, and what should tell them. Shapes (n,), gold order."""

    sought: BoolArray
    reads: FloatArray
    by: Literal["confidence", "probability"]


def detector(task: Task, gold: Gold, run: Run) -> Detector:
    """What a run says of the task's rejection label.

    The probability of that class, if the run gives it for every instance that has a row of
    probabilities; else its confidence, low where an answer is doubted.
    """
    sought = np.array([task.reject in accepted for accepted in gold.answers], dtype=np.bool_)
    if run.probabilities.size and task.reject in run.labels:
        reads = run.probabilities[:, run.labels.index(task.reject)]
        return Detector(sought, np.where(np.isnan(reads), 0.0, reads), "probability")
    return Detector(sought, run.confidence, "confidence")


def scope(label: str, found: Detector) -> Scope:
    """AUROC of the detector, and what each threshold flags and catches, the strictest first."""
    flags = found.by == "probability"
    # Confidence speaks against the label: the order is turned, not subtracted from 1.
    told = found.sought if flags else ~found.sought
    value = float(auroc(Judged(told, found.reads).cells)[0]) if len(told) else float("nan")
    rows = []
    for threshold in reversed(THRESHOLDS) if flags else THRESHOLDS:
        at = found.reads >= threshold if flags else found.reads <= threshold
        rows.append(Flagged(threshold, int(at.sum()), int((at & found.sought).sum())))
    return Scope(
        label,
        found.by,
        len(told),
        int(found.sought.sum()),
        None if np.isnan(value) else value,
        tuple(rows),
    )


def coarse_rows(rows: Sequence[Flagged], few: int) -> tuple[Flagged, ...]:
    """The table with no count of what is sought among fewer than ``few`` instances.

    That also holds for the step from one shown row to the next.
    """
    shown, last = [], 0
    for row in rows:
        if row.flagged and row.flagged != last and row.flagged - last < few:
            shown.append(replace(row, caught=None))
        else:
            shown.append(row)
            last = row.flagged
    return tuple(shown)
