"""Measures × subsets → scores."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256

import numpy as np

from grader.analysis import analyse
from grader.floor import Floor
from grader.judge import judge, matcher, sought
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
from grader.version import __version__

REFUSING = ("names", "sources")  # keys of [run] that refuse a file, and change no number of one
Parts = Mapping[str, Resampler]  # the instances of each subset, ``all`` first


def score(task: Task, gold: Gold, run: Run) -> Graded:
    """Every measure of the task, overall and in each subset of each dimension, with intervals.

    Only scored instances count. A missing one is wrong at confidence 1 under
    ``missing = "worst"`` and left out under ``"leave-out"``.
    """
    whole, counted, abstained = seen(task, gold, run)
    parts = parts_of(whole, counted, gold.subsets, task.resampling)
    every = parts["all"].judged
    return Graded(
        scores=tuple(measured(task.keys, parts)),
        notices=run.notices,
        reliability=reliability(every) if len(every.correct) and task.kind == "answers" else (),
        n=int((gold.scored & _present(run)).sum()),
        of=int(gold.scored.sum()),
        right=int(every.correct.sum()),
        abstained=int(abstained[counted].sum()),
        analysis=analyse(task, gold, run, parts, counted),
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
    return Judged(right, run.confidence, cluster, _classes(task, gold, run), bounds)


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
        for key in single:
            found[key, name] = _one(find(key), name, part)
        if name != "all":  # which analyses go on with
            part.free()
    for measure in measures:
        if measure.dimension:
            yield _macro(measure, parts, found)
        else:
            yield from (found[measure.key, name] for name in parts)


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


def settings(task: Task, gold: str, run: str) -> str:
    """Everything beside a measure's key that a number depends on: the tail of its signature.

    gold  the version and its commitment, as ``v1:9f…``; ``unversioned`` for a file
    run   the SHA-256 of the run's bytes
    """
    tolerance = f"±{task.tolerance}" if task.answers == "numeric" else ""
    stated = f"interval {task.interval.level}" if task.kind == "interval" else ""
    parts = {
        "answers": stated or f"{task.answers}{tolerance}",
        "scale": task.confidence,
        "missing": task.missing,
        "precision": "full" if task.precision is None else task.precision,
        "cluster": task.gold.cluster or "none",
        "reading": _reading(task),
        "gold": gold,
        "run": f"sha256:{run}",
        "resamples": task.resampling.resamples,
        "seed": task.resampling.seed,
        "grader": __version__,
        "numpy": np.__version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _reading(task: Task) -> str:
    """A short digest of how a run is read, of the labels and of the refusals."""
    run = {k: v for k, v in asdict(task.run).items() if k not in REFUSING}
    text = json.dumps((task.abstain, task.labels, run), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:12]


def signature(score: Score, settings: str) -> str:
    """What a paper quotes for a number to be comparable: measure, version and settings."""
    return f"{score.measure}|version:{score.version}|{settings}"
