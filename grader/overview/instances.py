"""How hard each instance is, and how far the board hangs on it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.family import Views, bound, by_id
from grader.measures import find
from grader.model import (
    BoolArray,
    FloatArray,
    Gold,
    Influence,
    Instance,
    IntArray,
    Judged,
    Measure,
    Split,
    Task,
    Undefined,
    mean,
)
from grader.sensitivity import place, value
from grader.unjudged import NOT_JUDGED

_NOT_ALL = "undefined without some of the instances"


def instances(
    task: Task, gold: Gold, views: Views, ranked: Sequence[str], part: Split = "all"
) -> tuple[tuple[Instance, ...], tuple[Influence, ...]]:
    """The scored instances of a part of the gold, in its order, and what each run hangs on.

    views   every run as measures see it, and which of its instances count
    ranked  those of them that have a rank
    """
    at = np.flatnonzero(replace(gold, part=part).scored)
    measure, digits = find(task.primary), task.ranking.digits
    found = tuple(_influence(measure, gold, run, view, at) for run, view in views.items())
    of = {one.run: one for one in found}
    shifts = _shifts([of[run] for run in ranked if of[run].without], measure, digits)
    moved = [(one.run, one.moved) for one in found if one.without]
    each = (_difficulty(task, gold.ids[i], i, views) for i in at.tolist())
    return tuple(_hanging(one, k, moved, shifts) for k, one in enumerate(each)), found


def _difficulty(task: Task, name: str, i: int, views: Views) -> Instance:
    runs = [judged for judged, counted in views.values() if counted[i]]
    open_ = [bool(judged.waiting.size and judged.waiting[i]) for judged in runs]
    known = [judged for judged, waits in zip(runs, open_, strict=True) if not waits]
    right = np.array([judged.correct[i] for judged in known], dtype=np.bool_)
    found = Instance(name, len(runs), int(right.sum()), sum(open_), None, None, None)
    if task.kind == "interval":
        return found
    sure = np.array([judged.confidence[i] for judged in known], dtype=np.float64)
    reward = np.where(right, sure, 1 - sure)
    return replace(
        found, sure_right=_mean(sure[right]), sure_wrong=_mean(sure[~right]), reward=_mean(reward)
    )


def _mean(each: FloatArray) -> float | None:
    return mean(each) if each.size else None


def _hanging(
    one: Instance,
    k: int,
    moved: Sequence[tuple[str, Sequence[float | None]]],
    shifts: Sequence[tuple[int, int]],
) -> Instance:
    """The instance with what its leaving out would do."""
    sizes = [(abs(by), run) for run, each in moved if (by := each[k]) is not None]
    most = max((size for size, _ in sizes), default=None)
    first = next((run for size, run in sizes if size == most), "") if most else ""
    reranked, shift = shifts[k] if shifts else (None, None)
    return replace(one, moved=most, by=first, reranked=reranked, shift=shift)


def _influence(
    measure: Measure, gold: Gold, run: str, view: tuple[Judged, BoolArray], at: IntArray
) -> Influence:
    judged, counted = view
    if judged.waiting.size and judged.waiting[counted].any():
        return Influence(run, None, why=NOT_JUDGED)
    whole = value(measure, gold, judged, counted)
    if whole is None:
        return Influence(run, None, why=_why(measure, gold, judged, counted))
    mine = by_id(counted, gold)
    left = dict(zip(mine.tolist(), _without(measure, gold, judged, mine), strict=True))
    without = tuple(left.get(i, whole) for i in at.tolist())
    return Influence(run, whole, without, _NOT_ALL if None in without else "")


def _why(measure: Measure, gold: Gold, judged: Judged, counted: BoolArray) -> str:
    """Why a run's value is undefined."""
    at = by_id(counted, gold)
    try:
        bound(measure, gold, at)(judged.part(at))
    except Undefined as why:
        return f"undefined: {why}"
    return ""


def _without(measure: Measure, gold: Gold, judged: Judged, at: IntArray) -> list[float | None]:
    """The value on ``at`` less one of its places, for each of them; None where undefined.

    Of a function of sums each is found by subtraction; where a convention decides, and for other
    measures, by measuring again. Instances of equal confidence, both right or both wrong, are one
    case unless a measure asks for more.
    """
    closed = _closed(measure, gold, judged, at)
    alike = measure.needs == "confidence" and not measure.dimension
    again: dict[object, float | None] = {}
    found: list[float | None] = []
    for k, i in enumerate(at.tolist()):
        if np.isfinite(closed[k]):
            found.append(float(closed[k]))
            continue
        case = (float(judged.confidence[i]), bool(judged.correct[i])) if alike else i
        if case not in again:
            rest = np.zeros(len(judged.correct), dtype=np.bool_)
            rest[np.delete(at, k)] = True
            again[case] = value(measure, gold, judged, rest)
        found.append(again[case])
    return found


def _closed(measure: Measure, gold: Gold, judged: Judged, at: IntArray) -> FloatArray:
    """Shape (len(at),): the values where they follow from sums, not finite where they do not."""
    sums = bound(measure, gold, at).sums
    if sums is None:
        return np.full(len(at), np.nan)
    features = sums.features(judged.part(at))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums.value(features.sum(axis=0) - features))


def _shifts(ranked: Sequence[Influence], measure: Measure, digits: int) -> list[tuple[int, int]]:
    """For each instance: how many ranked runs have another rank without it, and the largest shift.

    Ranks are among these runs, at the board's decimals; a run that is undefined has none, and has
    changed.
    """
    if not ranked:
        return []
    before = ranks([place(one.value, measure, digits) for one in ranked])
    found = []
    for k in range(len(ranked[0].without)):
        after = ranks([place(one.without[k], measure, digits) for one in ranked])
        pairs = list(zip(before, after, strict=True))
        shifts = [abs(a - b) for b, a in pairs if a is not None and b is not None]
        found.append((sum(b != a for b, a in pairs), max(shifts, default=0)))
    return found


def ranks(places: Sequence[float]) -> list[int | None]:
    """Ranks 1 2 2 4 of places of which the least is best; None for an infinite one."""
    order = np.sort(np.array(places))
    below = np.searchsorted(order, places, side="left")
    return [int(b) + 1 if np.isfinite(p) else None for b, p in zip(below, places, strict=True)]
