"""The measures for notebooks: arrays in, scores and tables out."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from grader.model import Judged, Resampling, Score, Subsets, Task
from grader.scoring import measured, parts_of


def score(  # noqa: PLR0913, three arrays and what to do with them
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    subsets: Mapping[str, Sequence[object]] | None = None,
    measures: Sequence[str] = Task("", "").keys,
    cluster: Sequence[object] | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008, frozen
) -> tuple[Score, ...]:
    """Score confidences against what was right, overall and in each subset.

    correct     shape (n,), bool or 0/1: was the answer right
    confidence  shape (n,), in [0, 1]: how sure the system was of it
    subsets     dimension → shape (n,): the subset of each instance; None for none
    cluster     shape (n,): instances that share a value are resampled together
    returns     one score for each measure and subset; undefined is None with the reason in note
    raises      ValueError, for shapes that differ or confidences outside [0, 1];
                UnknownMeasure, for a key that is none

    >>> import grader
    >>> found = grader.score([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2], measures=["hmr", "auroc"])
    >>> [(s.measure, round(s.value, 4)) for s in found]
    [('hmr', 0.7467), ('auroc', 1.0)]
    """
    if isinstance(measures, str) or not measures:
        raise ValueError("measures is a list of at least one key")
    judged = _judged(correct, confidence, cluster)
    cut = tuple(_subsets(name, values, judged) for name, values in (subsets or {}).items())
    every = np.ones(len(judged.correct), dtype=np.bool_)
    return tuple(measured(tuple(measures), parts_of(judged, every, cut, resampling)))


def frame(scores: Sequence[Score]) -> pd.DataFrame:
    """Scores as a table: a row for each subset, a column for each measure; undefined is NaN.

    >>> import grader
    >>> kinds = {"kind": ["x", "y"]}
    >>> found = grader.score([1, 0], [0.75, 0.25], subsets=kinds, measures=["brier"])
    >>> grader.frame(found)["brier"].to_dict()
    {'all': 0.0625, 'kind=x': 0.0625, 'kind=y': 0.0625}
    """
    rows: dict[str, dict[str, float | None]] = {}
    for s in scores:
        rows.setdefault(s.subset, {"n": s.n})[s.measure] = s.value
    return pd.DataFrame.from_dict(rows, orient="index")


def intervals(scores: Sequence[Score]) -> pd.DataFrame:
    """Scores as a long table: subset, measure, n, value, low, high, note, no_interval.

    >>> import grader
    >>> list(grader.intervals(grader.score([1, 0], [0.75, 0.25], measures=["hmr"]))["no_interval"])
    ['1 right and 1 wrong answers; 10 of each are needed']
    """
    columns = ("subset", "measure", "n", "value", "low", "high", "note", "no_interval")
    return pd.DataFrame([{c: getattr(s, c) for c in columns} for s in scores], columns=columns)


def _judged(correct: ArrayLike, confidence: ArrayLike, cluster: Sequence[object] | None) -> Judged:
    right, sure = np.asarray(correct), np.asarray(confidence, dtype=np.float64)
    if right.ndim != 1 or right.shape != sure.shape:
        raise ValueError(
            f"correct has shape {right.shape}, confidence {sure.shape}: give (n,) both"
        )
    if not np.isin(right, (0, 1)).all():
        raise ValueError("correct holds more than 0 and 1")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise ValueError("confidence holds values outside [0, 1], or NaN")
    groups = np.empty(0, dtype=np.intp)
    if cluster is not None:
        if len(cluster) != len(right):
            raise ValueError(f"cluster has {len(cluster)} values for {len(right)} instances")
        groups = np.unique(np.asarray(cluster, dtype=str), return_inverse=True)[1]
    return Judged(right.astype(np.bool_), sure, groups)


def _subsets(name: str, values: Sequence[object], judged: Judged) -> Subsets:
    if len(values) != len(judged.correct):
        raise ValueError(f"{name!r} has {len(values)} values for {len(judged.correct)} instances")
    missing = pd.isna(pd.Series(list(values), dtype=object)).tolist()
    texts = [None if gone else str(v) for gone, v in zip(missing, values, strict=True)]
    known = tuple(dict.fromkeys(t for t in texts if t is not None))
    place = {text: i for i, text in enumerate(known)}
    return Subsets(name, known, np.array([-1 if t is None else place[t] for t in texts], np.intp))
