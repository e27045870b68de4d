"""Nothing is told of a few instances: it would say which answers are right."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from grader.analysis.coarse import coarse as coarser
from grader.board.blunt import FEW, TOO_FEW, WITH_OTHERS, mean_alone
from grader.measures import find
from grader.model import PUBLIC, Beside, Graded, Results, Score, Versus


def coarse(graded: Graded) -> Graded:
    """A run's scores without those of a few instances, and its bins without their accuracy."""
    gone = _withheld({str(i): b.n for i, b in enumerate(graded.reliability)})
    bins = tuple(
        replace(b, accuracy=None) if str(i) in gone else b
        for i, b in enumerate(graded.reliability)
    )
    hidden = _hidden_subsets(graded)
    scores = tuple(_of_enough(s, hidden) for s in graded.scores)
    analysis = graded.analysis and coarser(graded.analysis, bins, FEW)
    return replace(graded, reliability=bins, scores=scores, analysis=analysis)


def _hidden_subsets(graded: Graded) -> set[str]:
    """The subsets of which nothing is shown; the score that chooses is printed nowhere."""
    sizes: dict[str, dict[str, int]] = {}
    for score in graded.scores:
        if score.subset not in ("all", PUBLIC):
            sizes.setdefault(score.subset.partition("=")[0], {})[score.subset] = score.n
    return {subset for parts in sizes.values() for subset in _withheld(parts)}


def _of_enough(score: Score, hidden: Collection[str]) -> Score:
    """The score, if it is not of a ``hidden`` subset.

    A mean over subsets of which one is hidden has no notes: they say what is right in it.
    """
    if score.subset in hidden:
        why = TOO_FEW if score.n < FEW else WITH_OTHERS
        none = replace(score, value=None, low=None, high=None, details={})
        return replace(none, note=why, no_interval=score.no_interval and why)
    dimension = find(score.measure).dimension
    if dimension and any(subset.partition("=")[0] == dimension for subset in hidden):
        return mean_alone(score)
    if score.details.get("n of the bin", FEW) < FEW:
        kept = {k: v for k, v in score.details.items() if k != "n of the bin"}
        return replace(score, details=kept)
    return score


def of_enough_instances(results: Results, told: frozenset[str]) -> Results:
    """What stands beside the runs of a board, without what speaks of a few instances.

    told  runs that everybody sees instance by instance: between these nothing is too few
    """
    gone: set[str] = set()
    for name, values in results.gold.dimensions:
        gone |= _withheld({f"{name}={value}": n for value, n in values})
    versus = {
        s: v if told and told.issuperset(v.slugs) else _of_many(v, alone=s in gone)
        for s, v in results.versus.items()
    }
    beside = {
        s: b if b.slug in told else _rows_of_many(b)
        for s, b in results.beside.items()
        if b.slug in told or (b.n >= FEW and s not in gone)
    }
    return replace(results, versus=versus, beside=beside)


def _withheld(sizes: Mapping[str, int]) -> set[str]:
    """The parts of a whole that are not shown: those of fewer than FEW instances.

    If they are fewer than FEW together, the next smallest part as well: what is not shown would
    follow from the whole and the parts that are.

    >>> sorted(_withheld({"a": 1, "b": 39, "c": 20})), sorted(_withheld({"a": 1, "b": 4, "c": 9}))
    (['a', 'c'], ['a', 'b'])
    >>> _withheld({"a": 5, "b": 39, "none": 0})
    set()
    """
    found: set[str] = set()
    total = 0
    for n, name in sorted((n, name) for name, n in sizes.items() if n):
        if n < FEW or 0 < total < FEW:
            found.add(name)
            total += n
    return found


def _of_many(found: Versus, *, alone: bool) -> Versus:
    if found.comparison is None or (found.n >= FEW and not alone):
        return found
    if found.n >= FEW:
        return replace(found, comparison=None, reason=WITH_OTHERS)
    return replace(found, comparison=None, reason=f"they share fewer than {FEW} instances")


def _rows_of_many(made: Beside) -> Beside:
    """The reference rows, without the threshold's if one side of it is small."""
    if made.smallest >= FEW:
        return made
    return replace(made, references=tuple(r for r in made.references if r.key != "threshold"))
