"""Reference rows: a run's own answers with confidences that anybody could have given."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from grader.analysis.reading import reading
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
from grader.resample import Resampler, mean_floor

Places = Mapping[str, Sequence[IntArray]]  # of a dimension, the instances of each subset
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
    part: Resampler, order: IntArray, keys: Sequence[str], cuts: Sequence[Subsets]
) -> tuple[Reference, ...]:
    """The readings of each reference row, in the order of TITLES.

    part   the run, with at least one instance; its seed draws the random confidences
    order  shape (n,): the places of the instances, by their ids
    keys   measures of the task; those of ALWAYS are read as well
    cuts   the task's dimensions, with codes of shape (n,) for the instances of ``part``
    """
    judged = part.judged
    measures = [find(key) for key in dict.fromkeys((*keys, *ALWAYS))]
    places = {cut.name: _places(cut) for cut in cuts}
    made = confidences(judged, order, part.seed)
    rows = {k: replace(part, judged=replace(judged, confidence=made[k])) for k in made}
    return tuple(
        Reference(key, tuple(_reading(m, row, places) for m in measures))
        for key, row in rows.items()
    )


def confidences(judged: Judged, order: IntArray, seed: int) -> Mapping[Key, FloatArray]:
    """The confidences of each reference row, shape (n,).

    ``threshold`` sets the confidences at the accuracy quantile: as many of the surest answers
    as are right get 1, with all that tie with the last of them, the rest 0.

    judged  has at least one instance
    order   shape (n,): the places of the instances in the order that ``random`` draws by
    """
    n, right = len(judged.correct), int(judged.correct.sum())
    last = np.sort(judged.confidence)[n - right] if right else np.inf
    drawn = np.empty(n)
    drawn[order] = np.random.default_rng([seed, n]).random(n)
    return {
        "one": np.ones(n),
        "half": np.full(n, 0.5),
        "accuracy": np.full(n, right / n),
        "random": drawn,
        "threshold": (judged.confidence >= last).astype(np.float64),
    }


def _places(cut: Subsets) -> Sequence[IntArray]:
    """The instances of each subset, by its name: the gold's order of them moves no bit."""
    each = sorted(range(len(cut.values)), key=cut.values.__getitem__)
    return [np.flatnonzero(cut.codes == value) for value in each]


def _reading(measure: Measure, row: Resampler, places: Places) -> Reading:
    try:
        if measure.dimension:
            return _macro(measure, row, places.get(measure.dimension, ()))
        return reading(measure, _plain(measure, row.judged), row.floor(measure))
    except Undefined as why:
        return Reading(measure.key, None, str(why))


def _plain(measure: Measure, judged: Judged) -> Found:
    if measure.needs in ("classes", "bounds"):
        raise Undefined("a reference row changes confidences only")
    return measure(judged)


def _macro(measure: Measure, row: Resampler, subsets: Sequence[IntArray]) -> Reading:
    if not subsets:
        raise Undefined("the dimension has no subset")
    inner = within(measure)
    parts = [replace(row, judged=row.judged.part(at), part=f"{i}") for i, at in enumerate(subsets)]
    each = [_plain(inner, part.judged) for part in parts]
    found = Found(float(np.mean([one.value for one in each])), "; ".join(_notes(each)))
    return reading(measure, found, mean_floor(inner, parts))


def _notes(each: Sequence[Found]) -> Sequence[str]:
    return tuple(dict.fromkeys(one.note for one in each if one.note))


def pareto(points: Sequence[tuple[float, float]]) -> tuple[bool, ...]:
    """Which points no other beats: none is as good in both and better in one. Higher is better.

    >>> pareto([(0.9, 0.5), (0.8, 0.6), (0.8, 0.5), (0.9, 0.5)])
    (True, True, False, True)
    """
    kept, top = set(), -math.inf
    for x, y in sorted(set(points), reverse=True):
        if y > top:
            kept.add((x, y))
            top = y
    return tuple(point in kept for point in points)
