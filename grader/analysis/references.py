"""Reference rows: a run's own answers with confidences that anybody could have given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from grader.measures import find, within
from grader.model import (
    FloatArray,
    Found,
    IntArray,
    Judged,
    Measure,
    Reading,
    Reference,
    Subsets,
    Undefined,
)

Key = Literal["one", "half", "accuracy", "random", "threshold"]
TITLES: Mapping[Key, str] = {
    "one": "every confidence 1",
    "half": "every confidence ½",
    "accuracy": "every confidence the run's accuracy",
    "random": "random confidences",
    "threshold": "the surest at 1, the rest at 0",
}
ALWAYS = ("hmr", "accuracy", "brier", "ece@10")


def references(
    judged: Judged, keys: Sequence[str], cuts: Sequence[Subsets], seed: int
) -> tuple[Reference, ...]:
    """The readings of each reference row, in the order of TITLES.

    keys  measures of the task; those of ALWAYS are read as well
    cuts  the task's dimensions, with codes of shape (n,) for the instances of ``judged``
    """
    measures = [find(key) for key in dict.fromkeys((*keys, *ALWAYS))]
    codes = {cut.name: (cut.codes, len(cut.values)) for cut in cuts}
    return tuple(
        Reference(
            key, tuple(_reading(m, replace(judged, confidence=sure), codes) for m in measures)
        )
        for key, sure in confidences(judged, seed).items()
    )


def confidences(judged: Judged, seed: int) -> Mapping[Key, FloatArray]:
    """The confidences of each reference row, shape (n,).

    ``threshold`` sets the confidences at the accuracy quantile: as many of the surest answers
    as are right get 1, with all that tie with the last of them, the rest 0.

    judged  has at least one instance
    """
    n, right = len(judged.correct), int(judged.correct.sum())
    last = np.sort(judged.confidence)[n - right] if right else np.inf
    return {
        "one": np.ones(n),
        "half": np.full(n, 0.5),
        "accuracy": np.full(n, right / n),
        "random": np.random.default_rng([seed, n]).random(n),
        "threshold": (judged.confidence >= last).astype(np.float64),
    }


def _reading(
    measure: Measure, judged: Judged, codes: Mapping[str, tuple[IntArray, int]]
) -> Reading:
    try:
        found = _macro(measure, judged, codes) if measure.dimension else _plain(measure, judged)
    except Undefined as why:
        return Reading(measure.key, None, str(why))
    return Reading(measure.key, found.value, found.note)


def _plain(measure: Measure, judged: Judged) -> Found:
    if measure.needs in ("classes", "bounds"):
        raise Undefined("a reference row changes confidences only")
    return measure(judged)


def _macro(measure: Measure, judged: Judged, codes: Mapping[str, tuple[IntArray, int]]) -> Found:
    of, many = codes.get(measure.dimension, (np.empty(0, dtype=np.intp), 0))
    if not many:
        raise Undefined("the dimension has no subset")
    inner = within(measure)
    each = [_plain(inner, judged.part(np.flatnonzero(of == value))) for value in range(many)]
    return Found(float(np.mean([one.value for one in each])), "; ".join(_notes(each)))


def _notes(each: Sequence[Found]) -> Sequence[str]:
    return tuple(dict.fromkeys(one.note for one in each if one.note))


def pareto(points: Sequence[tuple[float, float]]) -> tuple[bool, ...]:
    """Which points no other beats: none is as good in both and better in one. Higher is better.

    >>> pareto([(0.9, 0.5), (0.8, 0.6), (0.8, 0.5), (0.9, 0.5)])
    (True, True, False, True)
    """
    return tuple(
        not any(a >= x and b >= y and (a, b) != (x, y) for a, b in points) for x, y in points
    )
