"""The measures for notebooks: arrays in, scores, analyses and tables out."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from grader import columns
from grader.analysis import analyse as analysed
from grader.analysis.document import tables
from grader.model import Analysis, Gold, Judged, Resampling, Run, Score, Task
from grader.scoring import measured, parts_of

Classes = tuple[ArrayLike, ArrayLike]
_OUTSIDE = "outside"


def score(  # noqa: PLR0913, arrays and what to do with them
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    subsets: Mapping[str, Sequence[object]] | None = None,
    measures: Sequence[str] = Task("", "").keys,
    cluster: Sequence[object] | None = None,
    classes: Classes | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008, frozen
) -> tuple[Score, ...]:
    """Score confidences against what was right, overall and in each subset.

    correct     shape (n,), bool or 0/1: was the answer right
    confidence  shape (n,), in [0, 1]: how sure the system was of it; up to 1e-9 outside counts
                as the end
    subsets     dimension → shape (n,): the subset of each instance; None for none
    cluster     shape (n,): instances that share a value are resampled together
    classes     for the measures of class probabilities: these, shape (n, classes), NaN where a
                class is not offered, and the column of the gold class, shape (n,), −1 for none;
                a right answer's confidence is the probability of that class, within 0.001
    returns     one score for each measure and subset; undefined is None with the reason in note
    raises      ValueError, for shapes that differ, values that are missing or outside, and pandas
                objects whose indexes differ, as rows are taken in the order they stand;
                UnknownMeasure, for a key that is none

    >>> import grader
    >>> found = grader.score([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2], measures=["hmr", "auroc"])
    >>> [(s.measure, round(s.value, 4)) for s in found]
    [('hmr', 0.7467), ('auroc', 1.0)]
    """
    columns.aligned(correct=correct, confidence=confidence, cluster=cluster, **_named(subsets))
    judged = columns.answered(correct, confidence, cluster, classes)
    return _scored(judged, subsets, measures, resampling)


def score_intervals(  # noqa: PLR0913, the same
    lower: ArrayLike,
    upper: ArrayLike,
    gold: ArrayLike,
    *,
    level: float = 0.9,
    subsets: Mapping[str, Sequence[object]] | None = None,
    measures: Sequence[str] = ("iscore", "coverage", "width", "covgap"),
    cluster: Sequence[object] | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008, frozen
) -> tuple[Score, ...]:
    """Score prediction intervals against gold values, overall and in each subset.

    lower, upper  shape (n,): the ends, which belong to the interval and may be infinite
    gold          shape (n,): what they are to cover; an instance where it is missing (NaN)
                  counts in no score
    level         in (0, 1): the share of gold values that they are to cover

    The rest is as ``score`` has it.

    >>> import grader
    >>> found = grader.score_intervals([0, 0], [4, 2], [3, 3], level=0.8, measures=["iscore"])
    >>> round(found[0].value, 12)  # widths 4 and 2, and 1 outside at 2 / (1 − 0.8)
    8.0
    """
    named = {"lower": lower, "upper": upper, "gold": gold}
    columns.aligned(**named, cluster=cluster, **_named(subsets))
    judged = columns.bounded(lower, upper, gold, level, cluster)
    return _scored(judged, subsets, measures, resampling)


def analyse(  # noqa: PLR0913, the same
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    subsets: Mapping[str, Sequence[object]] | None = None,
    measures: Sequence[str] = Task("", "").keys,
    cluster: Sequence[object] | None = None,
    classes: Classes | None = None,
    outside: ArrayLike | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008, frozen
) -> Analysis:
    """What a run page says beside the scores: why they are what they are, and what if.

    measures  of the reference rows; HMR, accuracy, Brier and ECE are always among them
    outside   shape (n,), bool or 0/1: what lies outside the task, to be told by low confidence

    The rest is as ``score`` has it; without instances there is nothing to analyse: ValueError.

    >>> import grader
    >>> found = grader.analyse([1, 1, 0, 1], [0.9, 0.7, 0.6, 0.2])
    >>> found.verdict.r_o, round(found.verdict.r_u, 2), len(found.ladder), found.scope
    (0.4, 0.6, 11, None)
    """
    columns.aligned(correct=correct, confidence=confidence, cluster=cluster, **_named(subsets))
    judged = columns.answered(correct, confidence, cluster, classes)
    n = len(judged.correct)
    sought = () if outside is None else columns.flags("outside", outside, n)
    keys = columns.keys(measures)
    ids = tuple(f"{i:012}" for i in range(n))  # draws go by the order of ids
    answers = tuple((_OUTSIDE,) if far else () for far in sought) or ((),) * n
    reject = "" if outside is None else _OUTSIDE
    task = Task("", "", "", keys[0], keys[1:], reject=reject, resampling=resampling)
    every = np.ones(n, dtype=np.bool_)
    gold = Gold(ids, answers, columns.cuts(subsets, n))
    parts = parts_of(judged, every, (), columns.drawn(resampling))
    found = analysed(task, gold, Run((), judged.confidence), parts, every)
    if found is None:
        raise ValueError("there are no instances to analyse")
    return found


def _scored(
    judged: Judged,
    subsets: Mapping[str, Sequence[object]] | None,
    measures: Sequence[str],
    resampling: Resampling,
) -> tuple[Score, ...]:
    cuts = columns.cuts(subsets, len(judged.correct))
    every = np.ones(len(judged.correct), dtype=np.bool_)
    if judged.bounds is not None:
        every = ~np.isnan(judged.bounds.gold)
    parts = parts_of(judged, every, cuts, columns.drawn(resampling))
    return tuple(measured(columns.keys(measures), parts))


def _scores(name: str, given: object) -> Sequence[Score]:
    """What a table is to be made of; raises TypeError for anything but scores."""
    if isinstance(given, Sequence) and all(isinstance(s, Score) for s in given):
        return given
    raise TypeError(
        f"grader.{name} takes what grader.score gives; of an analysis grader.frames makes tables"
    )


def _named(subsets: Mapping[str, Sequence[object]] | None) -> dict[str, object]:
    """Each dimension under a name that is none of an argument's."""
    return {} if subsets is None else {repr(k): v for k, v in columns.mapping(subsets).items()}


def frame(scores: Sequence[Score]) -> pd.DataFrame:
    """Scores as a table: a row for each subset, a column for each measure; undefined is NaN.

    Two more columns, ``KEY floor mean`` and ``KEY floor 95%``, for each calibration error: what a
    calibrated run would score by noise alone.

    >>> import grader
    >>> kinds = {"kind": ["x", "y"]}
    >>> found = grader.score([1, 0], [0.75, 0.25], subsets=kinds, measures=["brier"])
    >>> grader.frame(found)["brier"].to_dict()
    {'all': 0.0625, 'kind=x': 0.0625, 'kind=y': 0.0625}
    """
    rows: dict[str, dict[str, float | None]] = {}
    for s in _scores("frame", scores):
        row = rows.setdefault(s.subset, {"n": s.n})
        row[s.measure] = s.value
        if s.floor_95 is not None:
            row |= {f"{s.measure} floor mean": s.floor_mean, f"{s.measure} floor 95%": s.floor_95}
    return pd.DataFrame.from_dict(rows, orient="index")


def intervals(scores: Sequence[Score]) -> pd.DataFrame:
    """Scores as a long table, a row for each measure and subset, with their intervals and floors.

    A calibration error has a floor: what a calibrated run would score by noise alone, in the mean
    and at most in 95% of cases; ``above_floor`` says whether it scores more than that.

    >>> import grader
    >>> list(grader.intervals(grader.score([1, 0], [0.75, 0.25], measures=["hmr"]))["no_interval"])
    ['1 right and 1 wrong answers; 10 of each are needed']
    """
    found = _scores("intervals", scores)
    return pd.DataFrame([{c: getattr(s, c) for c in _COLUMNS} for s in found], columns=_COLUMNS)


_COLUMNS = (
    *("subset", "measure", "n", "value", "low", "high"),
    *("floor_mean", "floor_95", "above_floor", "note", "no_interval"),
)


def frames(analysis: Analysis, digits: int = 3) -> dict[str, pd.DataFrame]:
    """An analysis as tables, by name; one that means nothing for the run is left out.

    digits  decimals in sentences, which stand in the column ``says``

    >>> import grader
    >>> tables = grader.frames(grader.analyse([1, 1, 0, 1], [0.9, 0.7, 0.6, 0.2]))
    >>> list(tables)
    ['verdict', 'ladder', 'curve', 'thresholds', 'recalibration', 'references']
    >>> tables["curve"][["kept", "right"]].to_numpy().tolist()
    [[1, 1], [2, 2], [3, 2], [4, 3]]
    """
    if not isinstance(analysis, Analysis):
        raise TypeError(
            "grader.frames takes what grader.analyse gives; of scores grader.frame and "
            "grader.intervals make tables"
        )
    made = tables(analysis, digits)
    return {name: pd.DataFrame.from_records(rows) for name, rows in made.items() if rows}
