"""Runs compared on the instances that all of them were scored on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from grader import store
from grader.board import rank
from grader.compare import clusters, compare, difference, macro_sums, value_of
from grader.errors import Mistake
from grader.exchange import swap_test, tukey_hsd
from grader.grade import viewed
from grader.measures import UnknownMeasure, find, within
from grader.model import (
    BoolArray,
    Comparison,
    Gold,
    IntArray,
    Judged,
    Measure,
    Pair,
    Rejected,
    Results,
    Task,
    Undefined,
    Versus,
)
from grader.store import Connection
from grader.table import PairTable

Views = Mapping[str, tuple[Judged, BoolArray]]  # a run as measures see it, and what counts of it


def shared(views: Views, gold: Gold) -> tuple[list[Judged], IntArray]:
    """Each run on the instances that all were scored on, and their places in the gold.

    In the order of their ids: the order of the gold's lines draws no other resamples.
    """
    both = np.logical_and.reduce([counted for _, counted in views.values()])
    at = np.array(sorted(np.flatnonzero(both), key=lambda i: gold.ids[i]), dtype=np.intp)
    return [judged.part(at) for judged, _ in views.values()], at


def summed(measure: Measure, gold: Gold, at: IntArray) -> Measure:
    """The measure with its sums bound: to the parameter's value, and for a macro to the gold."""
    inner = within(measure)
    bound = inner.sums_of(**inner.params) if inner.sums_of else inner.sums
    if bound is None or not measure.dimension:
        return replace(measure, sums=bound)
    subsets = next(s for s in gold.subsets if s.name == measure.dimension)
    return replace(measure, sums=macro_sums(bound, subsets.codes[at], len(subsets.values)))


def against(task: Task, gold: Gold, views: Views) -> Versus:
    """The comparison of runs by the task's primary, in the order given."""
    slugs = tuple(views)
    if len(slugs) < 2:
        return Versus(slugs, None, "there are not two runs to compare")
    runs, at = shared(views, gold)
    measure = summed(find(task.primary), gold, at)
    if measure.sums is None:
        return Versus(slugs, None, f"{measure.title} is no function of sums over instances")
    if not at.size:
        return Versus(slugs, None, "no instance was scored for every run")
    settings = task.resampling
    try:
        return Versus(slugs, compare(runs, measure, settings.resamples, settings.seed))
    except Undefined as why:
        return Versus(
            slugs, None, f"{measure.title} is undefined on what all were scored on: {why}"
        )


def views(db: Connection, slug: str, runs: Sequence[str]) -> tuple[Task, Gold, Views]:
    """Stored runs of a task as measures see them; raises Mistake for an unknown one."""
    now = store.registered(db, slug)
    found = {}
    for run in runs:
        view = viewed(now.task, now.gold, store.payload(db, slug, run).payload)
        if isinstance(view, Rejected):
            raise Mistake(f"{run!r} breaks a rule of the task: {view.problems[0].message}")
        found[run] = view
    return now.task, now.gold, found


def compared(db: Connection, results: Results) -> Results:
    """A task's results with its ranked runs compared."""
    ranked = [row.entry.slug for row in rank(results).ranked]
    return replace(results, versus=against(*views(db, results.task.slug, ranked)))


def tables(task: Task, gold: Gold, seen: Views, keys: Sequence[str]) -> tuple[PairTable, ...]:
    """The runs compared in pairs, a table for each measure; the task's primary by default.

    A measure that is a function of sums is compared by max-|t| over all pairs; of another one
    each difference has a paired bootstrap interval of its own, and no p.

    raises  Mistake, for a measure that is unknown or undefined here
    """
    runs, at = shared(seen, gold)
    if not at.size:
        raise Mistake("no instance was scored for every run")
    made = []
    for key in keys or (task.primary,):
        try:
            measure = summed(find(key), gold, at)
            made.append(_table(task, measure, tuple(seen), runs))
        except (UnknownMeasure, Undefined) as e:
            raise Mistake(f"{key}: {e}") from e
    return tuple(made)


def _table(task: Task, measure: Measure, names: tuple[str, ...], runs: list[Judged]) -> PairTable:
    settings = task.resampling
    if measure.sums is not None:
        comparison = compare(runs, measure, settings.resamples, settings.seed)
    else:
        comparison = _unadjusted(task, measure, runs)
    # The swap test is of pooled measures: it offers none for a mean over subsets.
    swaps = tuple(
        None
        if measure.dimension or not settings.resamples
        else swap_test(runs[p.a], runs[p.b], measure, settings.resamples, settings.seed)[0]
        for p in comparison.pairs
    )
    values = tuple(value_of(measure, run) for run in runs)
    n, adjusted = len(runs[0].correct), measure.sums is not None
    hsd = _hsd(task, measure, runs)
    return PairTable(measure, names, values, n, comparison, swaps, adjusted, hsd)


def _hsd(task: Task, measure: Measure, runs: list[Judged]) -> tuple[float, ...]:
    """The p of each pair by randomised Tukey HSD, where the measure is a mean over instances."""
    sums, settings = measure.sums, task.resampling
    if sums is None or not sums.mean or len(runs) < 3:
        return ()
    each = np.stack([sums.features(run)[:, 1] for run in runs])
    p = tukey_hsd(each, clusters(runs[0]), settings.resamples, settings.seed)
    return tuple(float(p[a, b]) for a, b in combinations(range(len(runs)), 2))


def _unsound(measure: Measure, resamples: int) -> str:
    """Why a difference of this measure has no interval; empty if it has one.

    The difference of two calibration errors is biased by the noise of both: of two calibrated
    runs with unlike confidences, resampling would call half the pairs different.
    """
    if not resamples:
        return "the task asks for no resamples"
    if measure.gate == "floor":
        return "no interval of a difference is sound here: read each value against its floor"
    if measure.interval != "percentile" or measure.needs != "confidence":
        return measure.no_interval or "no interval is sound for it"
    return ""


def _unadjusted(task: Task, measure: Measure, runs: list[Judged]) -> Comparison:
    settings, pairs = task.resampling, []
    for a, b in combinations(range(len(runs)), 2):
        apart = measure(runs[a]).value - measure(runs[b]).value
        why = _unsound(measure, settings.resamples)
        ends = None
        if not why:
            ends = difference(runs[a], runs[b], measure, settings.resamples, settings.seed)
            why = "" if ends else "undefined in every resample"
        low, high = ends or (None, None)
        pairs.append(Pair(a, b, apart, low, high, None, why))
    return Comparison(tuple(pairs), (None,) * len(runs), settings.resamples, None)
