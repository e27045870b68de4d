"""What a run's page says of a run beside its scores: why, how surely, and what if.

Pure functions of a judged run. None of it ranks anything.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from grader.analysis.ladder import ladder
from grader.analysis.pooling import pooling
from grader.analysis.recalibrate import recalibration
from grader.analysis.references import references
from grader.analysis.scope import Detector, detector, scope
from grader.analysis.selective import selective
from grader.analysis.verdict import verdict
from grader.model import Analysis, BoolArray, Gold, Pooling, Run, Subsets, Task
from grader.resample import Resampler


def analyse(
    task: Task, gold: Gold, run: Run, parts: Mapping[str, Resampler], counted: BoolArray
) -> Analysis | None:
    """Analyse a run; None without a scored instance, for intervals, or until it is judged.

    parts    the instances of each subset, ``all`` as ``counted`` has them
    counted  shape (n,): which of the gold's instances are scored
    """
    part = parts["all"]
    judged = part.judged
    if not len(judged.correct) or judged.bounds is not None or judged.waiting.any():
        return None
    cuts = tuple(replace(s, codes=s.codes[counted]) for s in gold.subsets)
    # Draws go by id: the order of the gold's lines changes nothing.
    ids = [gold.ids[i] for i in np.flatnonzero(counted)]
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.intp)
    return Analysis(
        ladder=ladder(part),
        verdict=verdict(part),
        poolings=_poolings(part, cuts),
        selective=selective(judged),
        scope=scope(task.reject, _counted(detector(task, gold, run), counted))
        if task.reject
        else None,
        recalibration=recalibration(judged.part(order), task.resampling),
        references=references(part, order, task.keys, cuts),
    )


def _poolings(part: Resampler, cuts: tuple[Subsets, ...]) -> tuple[Pooling, ...]:
    """A decomposition for each dimension that cuts the instances into two or more."""
    judged = part.judged
    if judged.correct.all() or not judged.correct.any():
        return ()
    several = (cut for cut in cuts if len(np.unique(cut.codes)) > 1)
    return tuple(pooling(judged, cut.name, cut.values, cut.codes) for cut in several)


def _counted(found: Detector, counted: BoolArray) -> Detector:
    return Detector(found.sought[counted], found.reads[counted], found.by)
