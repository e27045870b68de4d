"""What stands beside the rows of a board or of a subset's: comparisons, and reference rows.

Each board is a family of its own: what its comparison says holds together for its pairs alone.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from grader.analysis.references import confidences, references
from grader.broad import neighbours
from grader.compare import compare
from grader.measures import UnknownMeasure, find, within
from grader.model import (
    Beside,
    BoolArray,
    FloatArray,
    Gold,
    IntArray,
    Judged,
    Measure,
    Sums,
    Task,
    Versus,
)
from grader.processors import processors
from grader.resample import Resampler
from grader.stack import Stack, stacked

Views = Mapping[str, tuple[Judged, BoolArray]]  # a run as measures see it, and what counts of it
MOST = 60  # runs up to which every pair is compared by resampling
KEPT = 0.5  # share of the fullest run's instances that a comparison keeps at least
_SPARSE = "it answered too few of the instances that the other runs answered"


def by_id(mask: BoolArray, gold: Gold) -> IntArray:
    """The places of a mask by their ids: the order of the gold's lines draws nothing else."""
    order = _ordered(gold.ids)
    return order[mask[order]]


@lru_cache(maxsize=16)
def _ordered(ids: tuple[str, ...]) -> IntArray:
    """Shape (n,): the places of ids in their order."""
    return np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.intp)


def inside(gold: Gold, subset: str) -> BoolArray:
    """Shape (n,): which instances are in a subset, ``all`` or ``dimension=value``."""
    if subset == "all":
        return np.ones(len(gold.ids), dtype=np.bool_)
    cuts = {f"{s.name}={v}": (s, i) for s in gold.subsets for i, v in enumerate(s.values)}
    cut, code = cuts[subset]
    return np.asarray(cut.codes == code)


def bound(measure: Measure, gold: Gold, at: IntArray) -> Measure:
    """A macro bound to the subsets that its instances are in; any other measure itself.

    raises  UnknownMeasure, if the gold has no such dimension
    """
    if not measure.dimension:
        return measure
    cut = next((s for s in gold.subsets if s.name == measure.dimension), None)
    if cut is None:
        raise UnknownMeasure(f"the gold has no dimension {measure.dimension!r}")
    codes, many = cut.codes[at], len(cut.values)
    parts = tuple(
        (f"{cut.name}={v}", np.flatnonzero(codes == i)) for i, v in enumerate(cut.values)
    )
    inner = within(measure).sums
    return replace(measure, parts=parts, sums=inner and macro_sums(inner, codes, many))


def macro_sums(inner: Sums, codes: IntArray, many: int) -> Sums:
    """The unweighted mean of a measure over subsets, as a function of the sums in each.

    codes  shape (n,): the subset of each instance, from 0, or −1 for none
    """
    mine = codes[:, None] == np.arange(many)

    def features(judged: Judged) -> FloatArray:
        each = inner.features(judged)
        return np.asarray((each[:, None, :] * mine[:, :, None]).reshape(len(each), -1))

    def value(sums: FloatArray) -> FloatArray:
        apart = sums.reshape(*sums.shape[:-1], many, -1)
        return np.asarray(inner.value(apart).mean(axis=-1))

    return Sums(features, value)


def overlap(scored: Mapping[str, BoolArray]) -> tuple[BoolArray, frozenset[str]]:
    """The instances that all runs of a comparison were scored on, and the runs it leaves out.

    Runs come in by how many instances they were scored on, the fullest first, as long as KEPT of
    its instances stay: so no run that answered little takes the comparison from the others. What
    the answers are worth has no say in it.
    """
    return _overlap(tuple(scored), np.array(tuple(scored.values())))


def _overlap(names: Sequence[str], scored: BoolArray) -> tuple[BoolArray, frozenset[str]]:
    """The same, of runs by their rows."""
    if scored.all():
        return scored[0], frozenset()
    sizes = scored.sum(axis=1).tolist()
    order = sorted(range(len(names)), key=lambda row: (-sizes[row], names[row]))
    shared, sparse = scored[order[0]], set()
    least = KEPT * sizes[order[0]]
    lacking = (shared & ~scored).any(axis=1)  # the others take nothing away
    for row in order[1:]:
        if not lacking[row]:
            continue
        both = shared & scored[row]
        if both.sum() < least:
            sparse.add(names[row])
        else:
            shared = both
    return shared, frozenset(sparse)


@dataclass(frozen=True)
class _Field:
    """The runs of a task's boards: what is found of each of them is found once.

    ``stack`` is for boards of more than MOST runs alone.
    """

    task: Task
    gold: Gold
    views: Views

    @cached_property
    def measure(self) -> Measure:
        return find(self.task.primary)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each run in ``counted`` and ``stack``."""
        return {slug: row for row, slug in enumerate(self.views)}

    @cached_property
    def counted(self) -> BoolArray:
        """Shape (runs, n): which instances count of each run."""
        return np.array([counted for _, counted in self.views.values()])

    @cached_property
    def every(self) -> BoolArray:
        """Shape (n,): which instances count of every run."""
        return np.asarray(self.counted.all(axis=0))

    @cached_property
    def stack(self) -> Stack:
        return stacked([judged for judged, _ in self.views.values()], self.measure)


def family(task: Task, gold: Gold, views: Views, subset: str = "all") -> Versus:
    """The comparison of a board's runs, in the order given: see ``families``."""
    return families(task, gold, views, {subset: tuple(views)})[subset]


def families(
    task: Task, gold: Gold, views: Views, boards: Mapping[str, tuple[str, ...]]
) -> dict[str, Versus]:
    """The comparison of the runs of each board, in their order, by the measure that ranks them.

    Of more than MOST runs each is compared with the next one, by a bound over all pairs.

    boards  the runs of each subset's
    """
    field = _Field(task, gold, views)
    # What takes long is numpy's, which lets other threads go on; but no sum hangs on threads.
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(processors()) as pool:
        found = pool.map(partial(_family, field), boards.values(), boards)
        return dict(zip(boards, found, strict=True))


def _family(field: _Field, slugs: tuple[str, ...], subset: str) -> Versus:
    if len(slugs) < 2:
        return Versus(slugs, None, "there are not two runs to compare")
    gold, measure = field.gold, field.measure if subset == "all" else within(field.measure)
    rows, of = np.array([field.rows[slug] for slug in slugs]), inside(gold, subset)
    sparse: frozenset[str] = frozenset()
    if not field.every[of].all():
        of[of], sparse = _overlap(slugs, field.counted[np.ix_(rows, of)])
    at = by_id(of, gold)
    measure = bound(measure, gold, at)
    if measure.sums is None:
        return Versus(slugs, None, f"{measure.title} is no function of sums over instances")
    if not at.size:
        return Versus(slugs, None, "no instance was scored for every run")
    apart = {i: _SPARSE for i, run in enumerate(slugs) if run in sparse}
    if len(slugs) > MOST:
        return Versus(slugs, neighbours(field.stack.part(rows, at), measure, apart), n=len(at))
    runs, settings = [field.views[slug][0].part(at) for slug in slugs], field.task.resampling
    found = compare(runs, measure, settings.resamples, settings.seed, apart)
    return Versus(slugs, found, n=len(at))


def beside(
    task: Task, gold: Gold, view: tuple[Judged, BoolArray], slug: str, subset: str
) -> Beside | None:
    """The reference rows of a subset, from the answers of a run there; None for intervals."""
    judged, counted = view
    at = by_id(counted & inside(gold, subset), gold)
    if not at.size or judged.bounds is not None:
        return None
    settings, n = task.resampling, len(at)
    part = Resampler(judged.part(at), settings.resamples, settings.seed, subset)
    rows = references(part, np.arange(n), _keys(task), ())
    sure = confidences(part.judged, np.arange(n), settings.seed)["threshold"]
    surest = int(sure.sum())
    return Beside(slug, n, min(m for m in (surest, n - surest) if m), rows)


def _keys(task: Task) -> Sequence[str]:
    """The measures of a subset's board: no means over subsets."""
    keys = (within(find(task.primary)).key, *task.keys)
    return [key for key in dict.fromkeys(keys) if not find(key).dimension]
