"""Nothing is told of a few instances: it would say which answers are right."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from grader.analysis.coarse import coarse as coarser
from grader.board.blunt import mean_alone
from grader.board.limits import OF_HIDDEN, Counts, Limits, withheld
from grader.measures import find
from grader.model import (
    PUBLIC,
    Analysis,
    Beside,
    Bin,
    Graded,
    Results,
    Score,
    Versus,
    settled,
    then,
)

_BIN = "n of the bin"  # a detail of scores that are read off one bin


@settled
def coarse(graded: Graded, limits: Limits) -> Graded:
    """A run's scores without those of a few instances, and its bins without their accuracy."""
    bins, scores = _bins(graded.reliability, limits.step), graded.scores
    hidden = _hidden_subsets(graded, limits)
    dimensions = {subset.partition("=")[0] for subset in hidden}
    if hidden:
        scores = tuple(_of_enough(s, hidden, dimensions, limits) for s in scores)
    told = dimensions if limits.subset > limits.part else ()
    # Their sizes, and which have an accuracy that is shown: no number that may be rounded later.
    outline = tuple(Bin(b.n, 0.0, b.accuracy and 0.0) for b in bins)
    analysed = then(graded.analysed, _coarser, outline, limits.step, tuple(sorted(told)))
    found = graded  # what others have read of it is kept with it
    if analysed is not found.analysed or (bins, scores) != (found.reliability, found.scores):
        found = replace(graded, reliability=bins, scores=scores, analysed=analysed)
    return _without_thin(found, limits.step) if _BIN in found.details else found


def _without_thin(graded: Graded, few: int) -> Graded:
    """A run's scores without how many answers a bin has that they are read off, if few."""
    thin = [s.details.get(_BIN, few) < few for s in graded.scores]
    if not any(thin):
        return graded
    kept = (
        s._replace(details={k: v for k, v in s.details.items() if k != _BIN}) if gone else s
        for s, gone in zip(graded.scores, thin, strict=True)
    )
    return replace(graded, scores=tuple(kept))


def _coarser(
    found: Analysis, bins: Sequence[Bin], few: int, dimensions: Collection[str]
) -> Analysis:
    """The same of an analysis; what has counts of the subsets of some dimensions goes."""
    found = coarser(found, bins, few)
    kept = tuple(p for p in found.poolings if p.dimension not in dimensions)
    return replace(found, poolings=kept)


def _bins(bins: tuple[Bin, ...], few: int) -> tuple[Bin, ...]:
    """A reliability diagram without the accuracy of a few instances."""
    if not any(0 < b.n < few for b in bins):
        return bins
    gone = withheld({str(i): Counts(b.n) for i, b in enumerate(bins)}, Limits(few, few))
    return tuple(replace(b, accuracy=None) if str(i) in gone else b for i, b in enumerate(bins))


def _hidden_subsets(graded: Graded, limits: Limits) -> frozenset[str]:
    """The subsets of which nothing is shown; the score that chooses is printed nowhere."""
    means = {key for key in {s.measure for s in graded.scores} if find(key).dimension}
    scores = [s for s in graded.scores if s.measure not in means] if means else graded.scores
    sizes = tuple({s.subset: s.n for s in reversed(scores)}.items())
    hidden = _hidden(sizes, (), limits)
    if not hidden and not (limits.asked and limits.sides):
        return hidden  # they are large enough, and so is what the whole has beside them
    sides = {s.subset: _sides(s) for s in graded.scores if s.measure == "accuracy"}
    return _hidden(sizes, tuple(sides.items()), limits)


@lru_cache(maxsize=64)
def _hidden(
    sizes: tuple[tuple[str, int], ...], sides: tuple[tuple[str, Counts], ...], limits: Limits
) -> frozenset[str]:
    """The subsets that are withheld, by the dimensions of their names.

    Most runs of a task have answered as many.
    """
    every = {subset: Counts(n) for subset, n in sizes} | dict(sides)
    dimensions: dict[str, dict[str, Counts]] = {}
    for subset, counts in every.items():
        if subset not in ("all", PUBLIC):
            dimensions.setdefault(subset.partition("=")[0], {})[subset] = counts
    whole = every.get("all")
    return frozenset(s for parts in dimensions.values() for s in withheld(parts, limits, whole))


def _sides(accuracy: Score) -> Counts:
    """How many answers are right and wrong; while some are not judged, at least how many."""
    least, most = accuracy.extremes or (accuracy.value, accuracy.value)
    if least is None or most is None:
        return Counts(accuracy.n)
    right, wrong = round(least * accuracy.n), round((1 - most) * accuracy.n)
    return Counts(accuracy.n, right, wrong)


def _of_enough(
    score: Score, hidden: Collection[str], dimensions: Collection[str], limits: Limits
) -> Score:
    """The score, if it is not of a ``hidden`` subset; these are of some of the ``dimensions``.

    A mean over subsets of which one is hidden is not told; where it ranks it has no notes, which
    say what is right in it.
    """
    if score.subset in hidden:
        why = limits.too_few if score.n < limits.subset else limits.with_others
        why = limits.too_few if limits.sides else why
        return _untold(score, why)
    if dimensions and find(score.measure).dimension in dimensions:
        return mean_alone(score) if score.measure == limits.ranks else _untold(score, OF_HIDDEN)
    return score


def _untold(score: Score, why: str) -> Score:
    """A score of which nothing is told, and why."""
    none = score._replace(value=None, low=None, high=None, details={})
    return none._replace(note=why, no_interval=score.no_interval and why)


def of_enough_instances(results: Results, told: frozenset[str], limits: Limits) -> Results:
    """What stands beside the runs of a board, without what speaks of a few instances.

    told  runs that everybody sees instance by instance: between these nothing is too few
    """
    sizes = replace(limits, sides=0)  # which answers are right is another matter for each run
    whole = Counts(results.gold.scored)
    gone: set[str] = set()
    for name, values in results.gold.dimensions:
        gone |= withheld({f"{name}={value}": Counts(n) for value, n in values}, sizes, whole)
    versus = {
        s: v if told and told.issuperset(v.slugs) else _of_many(v, limits, s, alone=s in gone)
        for s, v in results.versus.items()
    }
    beside = {
        s: b if b.slug in told else _rows_of_many(b, limits.part)
        for s, b in results.beside.items()
        if b.slug in told or (b.n >= limits.subset and s not in gone)
    }
    return replace(results, versus=versus, beside=beside)


def _of_many(found: Versus, limits: Limits, subset: str, *, alone: bool) -> Versus:
    few = limits.part if subset == "all" else limits.subset
    if found.comparison is None or (found.n >= few and not alone):
        return found
    if found.n >= few:
        return replace(found, comparison=None, reason=limits.with_others)
    return replace(found, comparison=None, reason=f"they share fewer than {few} instances")


def _rows_of_many(made: Beside, few: int) -> Beside:
    """The reference rows, without the threshold's if one side of it is small."""
    if made.smallest >= few:
        return made
    return replace(made, references=tuple(r for r in made.references if r.key != "threshold"))
