"""Runs in pairs, as a person asks for them: a table for each measure."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from grader.compare import compare, less, standing, weights
from grader.ends import percentile
from grader.errors import Mistake
from grader.exchange import swap_test, tukey_hsd
from grader.family import Views, bound, by_id
from grader.floor import Floor
from grader.gate import NO_RESAMPLES, units
from grader.measures import UnknownMeasure, find, within
from grader.model import (
    Cells,
    Comparison,
    FloatArray,
    Gold,
    IntArray,
    Judged,
    Measure,
    Pair,
    Resampling,
    Task,
    Undefined,
)
from grader.resample import Resampler, mean_floor
from grader.table import PairTable, Same
from grader.unjudged import NOT_JUDGED

_NOISE = "no interval of a difference is sound here: read each value against its floor"


def shared(views: Views, gold: Gold) -> tuple[list[Judged], IntArray]:
    """Each run on the instances that all were scored on, and their places in the gold."""
    at = by_id(np.logical_and.reduce([counted for _, counted in views.values()]), gold)
    return [judged.part(at) for judged, _ in views.values()], at


def tables(task: Task, gold: Gold, seen: Views, keys: Sequence[str]) -> tuple[PairTable, ...]:
    """The runs compared in pairs, a table for each measure; the task's primary by default.

    A measure that is a function of sums is compared by max-|t| over all pairs; of another one
    each difference has a paired bootstrap interval of its own, and no p. Where a measure is
    undefined for a run, that run has the reason in its place.

    raises  Mistake, for a measure that is unknown, or runs that share no instance
    """
    runs, at = shared(seen, gold)
    if not at.size:
        raise Mistake("no instance was scored for every run")
    made = []
    for key in keys or (task.primary,):
        try:
            measure = bound(find(key), gold, at)
        except UnknownMeasure as e:
            raise Mistake(f"{key}: {e}") from e
        made.append(_table(task.resampling, measure, tuple(seen), runs))
    return tuple(made)


def _table(
    settings: Resampling, measure: Measure, names: tuple[str, ...], runs: list[Judged]
) -> PairTable:
    floors: tuple[Floor | None, ...] = ()
    if measure.sums is not None:
        found = compare(runs, measure, settings.resamples, settings.seed)
    else:
        if measure.gate == "floor":
            floors = tuple(_floor(settings, measure, run) for run in runs)
        found = _unadjusted(settings, measure, runs, floors)
    same = tuple(_same(settings, measure, runs[pair.a], runs[pair.b]) for pair in found.pairs)
    n, adjusted = len(runs[0].correct), measure.sums is not None
    hsd = _hsd(settings, measure, runs)
    return PairTable(measure, names, n, found, same, adjusted, hsd, floors)


def _floor(settings: Resampling, measure: Measure, run: Judged) -> Floor | None:
    """The floor of a calibration error on the shared instances; None where it is undefined."""
    if standing(measure, run)[0] is None:
        return None
    parts = [
        Resampler(run.part(at), settings.resamples, settings.seed, name)
        for name, at in measure.parts
    ]
    if parts:
        return mean_floor(within(measure), parts)
    return Resampler(run, settings.resamples, settings.seed).floor(measure)


def _same(settings: Resampling, measure: Measure, a: Judged, b: Judged) -> Same:
    if measure.dimension:
        return Same(None, reason="the swap test is of pooled measures")
    if not settings.resamples:
        return Same(None, reason=NO_RESAMPLES)
    if a.waiting.any() or b.waiting.any():
        return Same(None, reason=NOT_JUDGED)
    try:
        return Same(*swap_test(a, b, measure, settings.resamples, settings.seed))
    except Undefined as why:
        return Same(None, reason=f"undefined: {why}")


def _hsd(
    settings: Resampling, measure: Measure, runs: Sequence[Judged]
) -> tuple[float | None, ...]:
    """The p of each pair by randomised Tukey HSD, where the measure is a mean over instances.

    Empty where it is none, or of fewer than three runs; runs that are undefined have None.
    """
    kept = [i for i, run in enumerate(runs) if standing(measure, run)[0] is not None]
    sums = measure.sums
    if sums is None or not sums.mean or len(kept) < 3 or not settings.resamples:
        return ()
    each = np.stack([sums.features(runs[i])[:, 1] for i in kept])
    p = tukey_hsd(each, runs[0].groups, settings.resamples, settings.seed)
    place = {run: i for i, run in enumerate(kept)}
    return tuple(
        float(p[place[a], place[b]]) if a in place and b in place else None
        for a, b in combinations(range(len(runs)), 2)
    )


def _unsound(measure: Measure, resamples: int) -> str:
    """Why a difference of this measure has no interval; empty if it has one.

    The difference of two calibration errors is biased by the noise of both: of two calibrated
    runs with unlike confidences, resampling would call half the pairs different.
    """
    if not resamples:
        return NO_RESAMPLES
    if measure.gate == "floor":
        return _NOISE
    if measure.interval != "percentile" or measure.needs != "confidence":
        return measure.no_interval or "no interval is sound for it"
    return ""


def _unadjusted(
    settings: Resampling, measure: Measure, runs: list[Judged], floors: Sequence[Floor | None]
) -> Comparison:
    found = [standing(measure, run) for run in runs]
    values = tuple(value for value, _ in found)
    # No difference of calibration errors has an interval, whatever one of them lacks for its own.
    reasons = tuple("" if floors and value is not None else why for value, why in found)
    unsound, pairs = _unsound(measure, settings.resamples), []
    for a, b in combinations(range(len(runs)), 2):
        why = reasons[a] or reasons[b] or unsound
        low, high, left_out = None, None, 0
        if why == _NOISE:
            why += " (95%: " + " and ".join(_said(floors[run]) for run in (a, b)) + ")"
        if not why:
            low, high, left_out = difference(runs[a], runs[b], measure, settings)
            why = "undefined in every resample" if low is None else ""
        pairs.append(Pair(a, b, less(values, a, b), low, high, None, why, left_out))
    nowhere = (None,) * len(runs)
    return Comparison(tuple(pairs), nowhere, settings.resamples, None, values, reasons)


def _said(floor: Floor | None) -> str:
    return "none" if floor is None else f"{floor.q95:.4f}"


def difference(
    a: Judged, b: Judged, measure: Measure, settings: Resampling
) -> tuple[float | None, float | None, int]:
    """The 95% percentile interval of a difference, for any measure on cells.

    returns  its ends, None if no resample is defined; and how many are not, which are left out
    """
    found = []
    for rows in weights(int(a.groups.max()) + 1, settings.resamples, settings.seed):
        drawn = rows[:, a.groups]
        found.append(_valued(measure, a, drawn) - _valued(measure, b, drawn))
    values = np.concatenate(found)
    defined = values[np.isfinite(values)]
    left_out = len(values) - len(defined)
    if not len(defined):
        return None, None, left_out
    return *percentile(defined, units(a)), left_out


def _valued(measure: Measure, run: Judged, weight: FloatArray) -> FloatArray:
    """Shape (B,): the measure, of a macro the mean over its parts, with instances weighed so.

    weight  shape (B, n)
    """
    every = (("all", np.arange(len(run.correct))),)
    each = [
        measure.fn(_weighed(run.part(at), weight[:, at]), **measure.params)
        for _, at in measure.parts or every
    ]
    return np.asarray(np.mean(each, axis=0))


def _weighed(judged: Judged, weight: FloatArray) -> Cells:
    """The run with each instance as often as its weight says: shape (B, n)."""
    order = np.argsort(judged.confidence, kind="stable")
    level = judged.confidence[order]
    starts = np.flatnonzero(np.diff(level, prepend=-1.0))
    sorted_ = weight[:, order]
    right = np.add.reduceat(sorted_ * judged.correct[order], starts, axis=1)
    return Cells(level[starts], right, np.add.reduceat(sorted_, starts, axis=1) - right)
