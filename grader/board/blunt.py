"""Results without what a phase keeps to itself: subsets, and decimals."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from grader.measures import find
from grader.model import PUBLIC, Analysis, Entry, Graded, Results, Score, Versus

_UNSOUND = "none is sound here"
_PRINTED = ("floor mean", "floor 95%", "n of the bin")  # details that pages print


def undivided(results: Results) -> Results:
    """The results without anything that speaks of a subset.

    Means over subsets stay, without their notes. A team's best run is still chosen by its score
    on the public part of the gold, which no page prints.
    """
    whole = results.versus.get("all")
    return replace(
        results,
        gold=replace(results.gold, dimensions=(), splits={}),
        entries=tuple(_changed(entry, _undivided) for entry in results.entries),
        versus={} if whole is None else {"all": _silent(whole)},
        beside={},
    )


def blunt(results: Results) -> Results:
    """The results with every number at the digits of their task, and no count of right answers.

    A count would tell what the digits do not: analyses that are made of counts go, and so do
    reasons that name one.
    """
    digits = results.task.ranking.digits
    return replace(
        results,
        entries=tuple(_changed(entry, lambda g: _blunt(g, digits)) for entry in results.entries),
        versus={subset: _silent(found) for subset, found in results.versus.items()},
        beside={subset: rounded(made, digits) for subset, made in results.beside.items()},
    )


def _changed(entry: Entry, change: Callable[[Graded], Graded]) -> Entry:
    return replace(entry, graded=change(entry.graded)) if entry.graded else entry


def _undivided(graded: Graded) -> Graded:
    kept = (s for s in graded.scores if s.subset in ("all", PUBLIC))
    analysis = graded.analysis and replace(graded.analysis, poolings=())
    return replace(graded, scores=tuple(map(_mean, kept)), analysis=analysis)


def _mean(score: Score) -> Score:
    if not find(score.measure).dimension:
        return score
    why = "undefined in a subset" if score.value is None else ""
    return replace(score, note=why, no_interval=score.no_interval and _UNSOUND)


def _blunt(graded: Graded, digits: int) -> Graded:
    scores = tuple(_uncounted(score) for score in graded.scores)
    analysis = graded.analysis and _without_counts(graded.analysis)
    found: Graded = rounded(replace(graded, scores=scores, analysis=analysis), digits)
    return found


def _uncounted(score: Score) -> Score:
    details = {name: score.details[name] for name in _PRINTED if name in score.details}
    note = re.sub(r"(^|; |: )[0-9]+ ", r"\1some ", score.note)
    return replace(score, note=note, no_interval=score.no_interval and _UNSOUND, details=details)


def _without_counts(found: Analysis) -> Analysis:
    verdict = replace(found.verdict, reason=found.verdict.reason and _UNSOUND)
    selective = replace(found.selective, points=(), reaches=())
    return replace(found, verdict=verdict, poolings=(), selective=selective, scope=None)


def _silent(found: Versus) -> Versus:
    """The comparison without its reasons: they name subsets and counts."""
    made = found.comparison
    if made is None:
        return found
    reasons = tuple(why and _UNSOUND for why in made.reasons)
    pairs = tuple(replace(pair, reason=pair.reason and _UNSOUND) for pair in made.pairs)
    return replace(found, comparison=replace(made, reasons=reasons, pairs=pairs))


def rounded(thing: Any, digits: int) -> Any:  # noqa: ANN401, any noun comes back as itself
    """A noun with every float in it rounded, as deep as it goes.

    >>> rounded(Score("hmr", "all", 4, 0.126, details={"floor mean": 0.5}), 2).value
    0.13
    """
    match thing:
        case float():
            return round(thing, digits)
        case tuple():
            return tuple(rounded(part, digits) for part in thing)
        case Mapping():
            return {name: rounded(part, digits) for name, part in thing.items()}
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            inside = {f.name: rounded(getattr(thing, f.name), digits) for f in fields(thing)}
            return replace(thing, **inside)
        case _:
            return thing
