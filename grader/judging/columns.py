"""Further numbers of judged answers: shown, averaged and compared, not computed here."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from grader.compare import compare
from grader.family import by_id, overlap
from grader.judging.views import View
from grader.model import (
    Column,
    FloatArray,
    Found,
    Gold,
    Judged,
    Judgement,
    Mean,
    Measure,
    Resampling,
    Unit,
    Versus,
    mean,
    mean_of,
)

_SPARSE = "it has the number on too few of the instances that the other runs have it on"


def columns(
    found: Iterable[Judgement], gold: Gold, views: Mapping[str, View], settings: Resampling
) -> Iterator[Column]:
    """Yield each further number in the order of its name, if a run has it."""
    each: dict[str, dict[Unit, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        for name, value in one.columns.items():
            each[name][one.unit].append(value)
    for name in sorted(each):
        values = {unit: float(np.mean(mine)) for unit, mine in each[name].items()}
        runs = {slug: _of(view, values) for slug, view in views.items()}
        means = {
            slug: Mean(int(there.sum()), mean(numbers[there]))
            for slug, numbers in runs.items()
            if (there := ~np.isnan(numbers)).any()
        }
        order = sorted(means, key=lambda slug: (-means[slug].value, slug))
        if order:
            ordered = {slug: means[slug] for slug in order}
            yield Column(name, ordered, _versus(name, gold, views, runs, order, settings))


def _of(view: View, values: Mapping[Unit, float]) -> FloatArray:
    """Shape (n,): the number of each instance that counts; NaN where there is none."""
    found = [np.nan if u is None else values.get(u, np.nan) for u in view.units]
    return np.where(view.counted, np.array(found, dtype=np.float64), np.nan)


def _versus(  # noqa: PLR0913, PLR0917, what is compared, and how
    name: str,
    gold: Gold,
    views: Mapping[str, View],
    runs: Mapping[str, FloatArray],
    order: list[str],
    settings: Resampling,
) -> Versus:
    """All pairs of runs, on the instances that all have the number on."""
    if len(order) < 2:
        return Versus(tuple(order), None, "there are not two runs to compare")
    shared, sparse = overlap({slug: ~np.isnan(runs[slug]) for slug in order})
    at = by_id(shared, gold)
    if not at.size:
        return Versus(tuple(order), None, "no instance has the number for every run")
    parts = [_carrying(views[slug].judged, runs[slug]).part(at) for slug in order]
    apart = {i: _SPARSE for i, slug in enumerate(order) if slug in sparse}
    found = compare(parts, _measure(name), settings.resamples, settings.seed, apart)
    return Versus(tuple(order), found, n=len(at))


def _carrying(judged: Judged, numbers: FloatArray) -> Judged:
    """A run with a number in place of its confidence."""
    none = np.empty(0, dtype=np.bool_)
    return replace(judged, confidence=numbers, classes=None, bounds=None, waiting=none)


def _measure(name: str) -> Measure:
    """The mean of what a run carries, for comparisons."""
    return Measure(
        key=name,
        title=name,
        fn=lambda judged: Found(mean(judged.confidence)),
        better="none",
        bounds=(-np.inf, np.inf),
        about="The mean of a number that judges gave.",
        needs="order",
        sums=mean_of(lambda judged: judged.confidence),
    )
