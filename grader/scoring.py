"""Measures × subsets → scores."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from grader.analysis import analyse
from grader.floor import Floor
from grader.judge import judge, matcher, sought, waiting
from grader.measures import find, within
from grader.measures.calibration import reliability
from grader.model import (
    BoolArray,
    Bounds,
    Classes,
    Gold,
    Graded,
    Judged,
    Measure,
    Resampling,
    Run,
    Score,
    Subsets,
    Task,
    Undefined,
)
from grader.resample import Resampler, mean_floor, mean_interval
from grader.unjudged import NOT_JUDGED, extremes

Parts = Mapping[str, Resampler]  # the instances of each subset, ``all`` first


def score(task: Task, gold: Gold, run: Run) -> Graded:
    """Every measure of the task, overall and in each subset of each dimension, with intervals.

    Only scored instances count. A missing one is wrong at confidence 1 under
    ``missing = "worst"`` and left out under ``"leave-out"``.
    """
    whole, counted, abstained = seen(task, gold, run)
    parts = parts_of(whole, counted, gold.subsets, task.resampling)
    every = parts["all"].judged
    drawn = len(every.correct) and task.kind == "answers" and not every.waiting.any()
    return Graded(
        scores=tuple(measured(task.keys, parts)),
        notices=run.notices,
        reliability=reliability(every) if drawn else (),
        n=int((gold.scored & _present(run)).sum()),
        of=int(gold.scored.sum()),
        right=int(every.correct.sum()),
        abstained=int(abstained[counted].sum()),
        analysed=analyse(task, gold, run, parts, counted),
    )


def seen(task: Task, gold: Gold, run: Run) -> tuple[Judged, BoolArray, BoolArray]:
    """The whole run as measures see it, in gold order, which instances count, and the refusals."""
    counted = gold.scored if task.missing == "worst" else gold.scored & _present(run)
    right, abstained = judge(task, gold, run)
    return judged(task, gold, run, right), counted, abstained


def _present(run: Run) -> BoolArray:
    return np.array([a is not None for a in run.answers], dtype=np.bool_)


def measured(keys: Sequence[str], parts: Parts) -> Iterator[Score]:
    """Yield the scores of these measures, the first of which ranks, on every part."""
    measures = [find(key) for key in keys]
    # Boards of subsets rank by what a macro is a mean of, whether the task lists it or not.
    measures += [m for m in (within(measures[0]),) if m.key not in keys]
    yield from _scores(measures, parts)


def judged(task: Task, gold: Gold, run: Run, right: BoolArray) -> Judged:
    """The whole run as measures see it, in gold order, with all that they may need of it."""
    cluster = np.empty(0, dtype=np.intp)
    if gold.clusters:
        cluster = np.unique(gold.clusters, return_inverse=True)[1]
    bounds = None
    if task.kind == "interval":
        low, high = run.bounds.T
        bounds = Bounds(low, high, sought(gold), task.interval.level)
    classes = None if task.answers == "judged" else _classes(task, gold, run)
    return Judged(right, run.confidence, cluster, classes, bounds, waiting(task, gold, run))


def _classes(task: Task, gold: Gold, run: Run) -> Classes | None:
    """A run's probabilities of the task's labels, and of other classes that it offers.

    The gold class is that of the first accepted answer that matches one, by the task's rule.
    """
    if not run.probabilities.size:
        return None
    labels = tuple(dict.fromkeys((*task.labels, *run.labels)))
    same, place = matcher(task), {label: k for k, label in enumerate(labels)}
    table = np.full((len(gold.ids), len(labels)), np.nan)
    table[:, [place[label] for label in run.labels]] = run.probabilities
    for answer in {a for accepted in gold.answers for a in accepted} - set(labels):
        found = (k for k, label in enumerate(labels) if same(label, answer))
        place[answer] = -1 if task.answers in ("exact", "choice") else next(found, -1)
    of = [next((place[a] for a in accepted if place[a] >= 0), -1) for accepted in gold.answers]
    return Classes(table, np.array(of, dtype=np.intp), labels)


def parts_of(
    whole: Judged, counted: BoolArray, subsets: Sequence[Subsets], settings: Resampling
) -> Parts:
    """Each subset's instances, found by one stable sort of each dimension's codes."""
    every = np.flatnonzero(counted)
    places = {"all": every}
    for dimension in subsets:
        codes = dimension.codes[every]
        # Of small integers numpy makes a radix sort.
        small = codes.astype(np.int16) if len(dimension.values) < 2**15 else codes
        order = every[np.argsort(small, kind="stable")]
        starts = np.cumsum(np.bincount(codes + 1, minlength=len(dimension.values) + 1))
        for value, start, end in zip(dimension.values, starts[:-1], starts[1:], strict=True):
            places[f"{dimension.name}={value}"] = order[start:end]
    return {
        name: Resampler(whole.part(at), settings.resamples, settings.seed, name)
        for name, at in places.items()
    }


def _scores(measures: Sequence[Measure], parts: Parts) -> Iterator[Score]:
    """Yield each measure's score on each subset; a macro has one, on the whole.

    Subset by subset, so that the resamples of one alone are in memory.
    """
    found: dict[tuple[str, str], Score] = {}
    single = dict.fromkeys(within(measure).key for measure in measures)
    for name, part in parts.items():
        each = _bounded if part.judged.waiting.any() else _each
        for one in each([find(key) for key in single], name, part):
            found[one.measure, name] = one
        if name != "all":  # which analyses go on with
            part.free()
    for measure in measures:
        if measure.dimension:
            yield _macro(measure, parts, found)
        else:
            yield from (found[measure.key, name] for name in parts)


def _bounded(measures: Sequence[Measure], subset: str, part: Resampler) -> Iterator[Score]:
    """Yield how far each measure may still go: some answers are not judged yet.

    One that comes out the same however they are judged has its value, without an interval.
    """
    judged = part.judged
    found = extremes(measures, judged)
    n, many = len(judged.correct), {"not judged": float(judged.waiting.sum())}
    for measure in measures:
        score = Score(measure.key, subset, n, None, version=measure.version)
        if (may := found.get(measure.key)) is None:
            yield score._replace(note=NOT_JUDGED, no_interval=NOT_JUDGED, details=many)
        elif may.least == may.most:
            yield score._replace(value=may.least, no_interval=NOT_JUDGED, details=many)
        else:
            ends = {"least": may.least, "most": may.most, **many}
            yield score._replace(note=NOT_JUDGED, no_interval=NOT_JUDGED, details=ends)


def _each(measures: Sequence[Measure], subset: str, part: Resampler) -> Iterator[Score]:
    for measure in measures:
        yield _one(measure, subset, part)


def _one(measure: Measure, subset: str, part: Resampler) -> Score:
    n = len(part.judged.correct)
    try:
        found = measure(part.judged)
    except Undefined as why:
        reason = f"undefined: {why}"
        return _undefined(measure, subset, n, (str(why), reason))
    floor = part.floor(measure)
    interval = part.interval(measure, found.value, floor)
    extra = _floor(floor)
    if interval.left_out:
        extra["resamples left out"] = interval.left_out
    return Score(
        measure.key,
        subset,
        n,
        found.value,
        interval.low,
        interval.high,
        found.note,
        interval.reason,
        {**found.details, **extra},
        measure.version,
    )


def _floor(floor: Floor | None) -> dict[str, float]:
    return {"floor mean": floor.mean, "floor 95%": floor.q95} if floor else {}


def _undefined(measure: Measure, subset: str, n: int, why: tuple[str, str]) -> Score:
    note, reason = why
    return Score(
        measure.key, subset, n, None, note=note, no_interval=reason, version=measure.version
    )


def _macro(measure: Measure, parts: Parts, found: Mapping[tuple[str, str], Score]) -> Score:
    """The unweighted mean over the subsets of a dimension; undefined if it is in one of them."""
    # By name: the order in which the gold has them moves no bit.
    inside = {k: parts[k] for k in sorted(parts) if k.startswith(f"{measure.dimension}=")}
    inner = within(measure)
    each = [found[inner.key, name] for name in inside]
    n = sum(s.n for s in each)
    if any(s.waiting for s in each):
        return _mean_bounded(measure, n, each)
    bad = next((s for s in each if s.value is None), None)
    if bad is not None or not each:
        why = f"undefined in {bad.subset}: {bad.note}" if bad else "the dimension has no subset"
        return _undefined(measure, "all", n, (why, why))
    value = float(np.mean([s.value for s in each]))
    interval = mean_interval(inner, list(inside.values()), each)
    return Score(
        measure.key,
        "all",
        n,
        value,
        interval.low,
        interval.high,
        "; ".join(f"{s.subset}: {s.note}" for s in each if s.note),
        interval.reason,
        {"subsets": len(each), **_floor(mean_floor(inner, list(inside.values())))},
        measure.version,
    )


def _mean_bounded(measure: Measure, n: int, each: Sequence[Score]) -> Score:
    """How far the mean may still go: each subset is judged apart from the others."""
    ends = [s.extremes if s.value is None else (s.value, s.value) for s in each]
    details: dict[str, float] = {"not judged": sum(s.waiting for s in each)}
    known = [end for end in ends if end is not None]
    if len(known) == len(ends):
        least, most = (float(np.mean(side)) for side in zip(*known, strict=True))
        details |= {"least": least, "most": most}
    score, why = _undefined(measure, "all", n, (NOT_JUDGED, NOT_JUDGED)), NOT_JUDGED
    return score._replace(note=why, details=details)
