"""Stored runs instance by instance."""

import numpy as np

from grader import store
from grader.grade import checked, overlooking, part_of
from grader.model import Gold, Itemised, Rejected, Result, Run, Task, Upload
from grader.scoring import seen
from grader.store import Connection


def itemised(
    db: Connection, task: Task, gold: Gold, run: str, *, consent: bool = False
) -> Itemised | None:
    """A stored run under a gold; None if it breaks a rule by now, so that it has no result."""
    upload = store.payload(db, task.slug, run)
    its = overlooking(task, upload.waived)
    match checked(its, gold, upload.payload):
        case Rejected():
            return None
        case found:
            return _made(its, part_of(task, gold, upload.phase), found, (run, upload, consent))


def _made(task: Task, gold: Gold, run: Run, whose: tuple[str, Upload, bool]) -> Itemised:
    slug, upload, consent = whose
    judged, _, _ = seen(task, gold, run)
    inside = [gold.part in ("all", split) for split in gold.splits] or [True] * len(gold.ids)
    at = np.flatnonzero(inside).tolist()
    waiting = judged.waiting if judged.waiting.size else np.zeros(len(gold.ids), dtype=np.bool_)
    standings = gold.standing
    spans = [[s.values[k] if k >= 0 else "" for k in s.codes.tolist()] for s in gold.subsets]
    absent = np.array([a is None for a in run.answers], dtype=np.bool_)
    sure = np.where(absent | bool(run.bounds.size), np.nan, judged.confidence)

    def result(i: int) -> Result:
        if standings[i].status == "dropped":
            return "dropped"
        if standings[i].status == "unjudged" or waiting[i]:
            return "waiting"
        if run.answers[i] is None:
            return "missing"
        return "right" if judged.correct[i] else "wrong"

    return Itemised(
        slug,
        upload.team,
        upload.name,
        tuple(gold.ids[i] for i in at),
        tuple(run.answers[i] for i in at),
        sure[at],
        tuple(result(i) for i in at),
        tuple(s.name for s in gold.subsets),
        tuple(tuple(span[i] for span in spans) for i in at),
        run.bounds[at] if run.bounds.size else run.bounds,
        consent,
    )
