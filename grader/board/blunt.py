"""Results without what a phase keeps to itself: subsets, and decimals."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from grader.analysis.selective import rounded_curve
from grader.board.limits import ALWAYS, FEW, GUARDED, OF_HIDDEN
from grader.measures import find
from grader.measures.intervals import ENDLESS
from grader.measures.reward import NOTHING_RIGHT, NOTHING_WRONG
from grader.model import PUBLIC, Analysis, Graded, Pair, Results, Score, Unread, Versus, then
from grader.unjudged import NOT_JUDGED

UNBOUNDED = f"its bounds would tell of fewer than {FEW} judged answers: not shown"
_UNSOUND = "none is sound here"
_IN_A_SUBSET = "undefined in a subset"
_UNTOLD = "the reason names a number that is not shown"
_ENDLESS = f"{ENDLESS}a width has no end"
_TOLD = frozenset(  # notes that name no number; whatever else a note may say is not shown
    {
        NOTHING_WRONG,
        NOTHING_RIGHT,
        f"{NOTHING_WRONG}; {NOTHING_RIGHT}",
        "no right answers: nothing to tell apart",
        "no wrong answers: nothing to tell apart",
        "no instances",
        *(said for limits in (ALWAYS, GUARDED) for said in (limits.too_few, limits.with_others)),
        OF_HIDDEN,
        _IN_A_SUBSET,
        NOT_JUDGED,
        UNBOUNDED,
    }
)
PRINTED = (
    "floor mean",
    "floor 95%",
    "n of the bin",
    "least",
    "most",
    "not judged",
)  # details that pages print


def undivided(graded: Graded) -> Graded:
    """A run's scores without anything that speaks of a subset.

    Means over subsets stay, without their notes. A team's best run is still chosen by its score
    on the public part of the gold, which no page prints.
    """
    kept = (s for s in graded.scores if s.subset in ("all", PUBLIC))
    analysed = then(graded.analysed, _undivided)
    scores = (mean_alone(s) if find(s.measure).dimension else s for s in kept)
    return replace(graded, scores=tuple(scores), analysed=analysed)


def apart(results: Results) -> Results:
    """The same of what stands beside the runs of a board."""
    whole = results.versus.get("all")
    return replace(
        results,
        gold=replace(results.gold, dimensions=(), splits={}),
        versus={} if whole is None else {"all": silent(whole)},
        beside={},
    )


def mean_alone(score: Score) -> Score:
    """A mean over subsets without its notes, which name them."""
    if score.note == OF_HIDDEN:
        return score
    why = _IN_A_SUBSET if score.value is None else ""
    return score._replace(note=why, no_interval=score.no_interval and _UNSOUND)


def blunt(graded: Graded, digits: int) -> Graded:
    """A run's scores with every number at these digits, and no count of right answers.

    A count would tell what the digits do not: curves are those of rounded accuracies, and what
    else is made of counts goes; so do notes, but for those that are known to name none.
    """
    scores = tuple(map(_uncounted, graded.scores))
    analysed = then(graded.analysed, _without_counts, digits)
    found: Graded = noted(replace(graded, scores=scores, analysed=analysed), digits)
    return found


def at_most(graded: Graded, digits: int) -> Graded:
    """A run's scores with no number of more decimals, and with all that is said of them."""
    found: Graded = rounded(graded, digits)
    return found


def dulled(results: Results, digits: int) -> Results:
    """The same of what stands beside the runs of a board."""
    found = replace(
        results,
        versus={subset: silent(found) for subset, found in results.versus.items()},
        beside={subset: noted(made, digits) for subset, made in results.beside.items()},
    )
    return even(found, digits)


def even(results: Results, digits: int) -> Results:
    """What stands beside the runs of a board, with no number of more decimals."""
    return replace(
        results,
        versus={subset: rounded(found, digits) for subset, found in results.versus.items()},
        beside={subset: rounded(made, digits) for subset, made in results.beside.items()},
        witness=rounded(results.witness, digits),
    )


def _uncounted(score: Score) -> Score:
    details = {name: score.details[name] for name in PRINTED if name in score.details}
    return score._replace(no_interval=score.no_interval and _UNSOUND, details=details)


def _told(note: str) -> str:
    """A note that tells no number."""
    if note.startswith(ENDLESS):
        return _ENDLESS
    return note if note in _TOLD else note and _UNTOLD


def _undivided(found: Analysis) -> Analysis:
    return replace(found, poolings=())


def _without_counts(found: Analysis, digits: int) -> Analysis:
    verdict = replace(found.verdict, reason=found.verdict.reason and _UNSOUND)
    selective = rounded_curve(found.selective, digits)
    return replace(found, verdict=verdict, poolings=(), selective=selective, scope=None)


def silent(found: Versus) -> Versus:
    """The comparison without its reasons: they name subsets and counts."""
    made = found.comparison
    if made is None:
        return found
    reasons = tuple(why and _UNSOUND for why in made.reasons)
    pairs = tuple(pair._replace(reason=pair.reason and _UNSOUND) for pair in made.pairs)
    return replace(found, comparison=replace(made, reasons=reasons, pairs=pairs))


def noted(thing: Any, digits: int) -> Any:  # noqa: ANN401, any noun comes back as itself
    """A noun with every float in it rounded and every note told, as deep as it goes.

    >>> found = noted(Score("nll", "all", 4, 0.126, note="3 confidences were clipped"), 2)
    >>> found.value, found.note
    (0.13, 'the reason names a number that is not shown')
    """
    return rounded(thing, digits, _told)


def rounded(thing: Any, digits: int, said: Callable[[str], str] = str) -> Any:  # noqa: ANN401
    """A noun with every float in it rounded, and what is ``said`` of every note, however deep.

    Whether a pair is told apart is decided before: the ranks that it tells have it so, and an end
    that is rounded to 0 would say something else.
    """
    match thing:
        case Unread():
            return then(thing, rounded, digits, said)
        case float():
            return round(thing, digits)
        case tuple() if not hasattr(thing, "_fields"):
            return tuple(rounded(part, digits, said) for part in thing)
        case Mapping():
            return {name: rounded(part, digits, said) for name, part in thing.items()}
        case _ if names := _names(thing):
            inside = {name: rounded(getattr(thing, name), digits, said) for name in names}
            told: dict[str, Any] = {"note": said(inside["note"])} if "note" in inside else {}
            if isinstance(thing, Pair):
                told["decided"] = thing.told_apart
            return _changed(thing, inside | told)
        case _:
            return thing


def _names(thing: object) -> tuple[str, ...]:
    """The names of a noun's fields; none if it is no noun."""
    if isinstance(thing, tuple):
        return tuple(getattr(thing, "_fields", ()))
    if is_dataclass(thing) and not isinstance(thing, type):
        return tuple(f.name for f in fields(thing))
    return ()


def _changed(thing: Any, told: Mapping[str, Any]) -> Any:  # noqa: ANN401
    return thing._replace(**told) if hasattr(thing, "_replace") else replace(thing, **told)
