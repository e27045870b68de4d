"""Who stands where, and why others have no rank."""

import math
from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from grader.board.phases import phased
from grader.board.rule import percent, rule
from grader.board.values import lead, score, shown
from grader.model import PUBLIC, Board, Entry, Measure, Results, Row, Score
from grader.plural import counted
from grader.unjudged import NOT_JUDGED

_OPEN = "its rank is open: answers of other runs are not judged yet"


def rank(results: Results, subset: str = "all") -> Board:
    """The board of a task, or of one subset: ranks 1 2 2 4, and the unranked with the reason.

    Values equal at the shown precision share a rank and stand in the order of team and run
    name. Undefined values have no rank, nor has a run that one may pass whose answers are not all
    judged yet. Each phase is ranked by itself: a task's phases stand one after the other.
    """
    boards = [_rank(part, subset) for part in phased(results)]
    return Board(
        subset,
        tuple(row for board in boards for row in board.ranked),
        tuple(row for board in boards for row in board.unranked),
        rule(results, subset),
    )


def _rank(results: Results, subset: str) -> Board:
    measure = lead(results, subset)
    places: list[tuple[float, Entry]] = []
    unranked: list[Row] = []
    best = _best(results) if results.task.ranking.rule == "best" else None
    for entry in sorted(results.entries, key=_by_name):
        found = score(entry, measure.key, subset)
        why = _unranked(results, entry) or _second(results, entry, best)
        if why or found is None or found.value is None:
            unranked.append(Row(entry, None, why or _undefined(measure, found)))
        else:
            places.append((_place(results, measure, found.value), entry))
    places.sort(key=lambda place: place[0])
    values = [value for value, _ in places]
    rivals = tuple(_rivals(results, measure, subset))
    rows = [(e, values.index(v) + 1, _passing(v, e, rivals)) for v, e in places]
    ranked = tuple(Row(entry, rank + passed) for entry, rank, passed in rows if passed is not None)
    left = (Row(entry, None, _OPEN) for entry, _, passed in rows if passed is None)
    return Board(subset, ranked, (*left, *unranked), rule(results, subset))


def _place(results: Results, measure: Measure, value: float) -> float:
    """A value as it is shown, the less the better."""
    better = 1 if measure.better == "lower" else -1
    return better * float(shown(value, results.task.ranking.digits))


def _rivals(results: Results, measure: Measure, subset: str) -> Iterator[tuple[float, float, str]]:
    """Yield the best and worst place, and the team, of each run that may be ranked once judged."""
    for entry in results.entries:
        if entry.graded is None or not entry.graded.waits or next(_barred(results, entry), ""):
            continue
        found = score(entry, measure.key, subset)
        ends = found.extremes if found else None
        if found and found.value is not None:
            ends = (found.value, found.value)
        if ends is None:
            yield -math.inf, math.inf, entry.team
        else:
            best, worst = sorted(_place(results, measure, end) for end in ends)
            yield best, worst, entry.team


def _passing(
    value: float, entry: Entry, rivals: tuple[tuple[float, float, str], ...]
) -> int | None:
    """How many runs that are not judged yet will surely stand before this one; None while open.

    One of the same team may take its place.
    """
    before = [(worst, team) for best, worst, team in rivals if best < value]
    if any(worst >= value or team == entry.team for worst, team in before):
        return None
    return len(before)


def _by_name(entry: Entry) -> tuple[str, str, str, datetime, str]:
    return entry.team.casefold(), entry.team, entry.name, entry.received, entry.slug


def _undefined(measure: Measure, found: Score | None) -> str:
    return f"{measure.title} is undefined: {found.note if found else 'no score'}"


def _second(results: Results, entry: Entry, best: set[str] | None) -> str:
    """Why a run that may be ranked is not its team's best one; empty if it is, or no matter."""
    if best is None or entry.slug in best:
        return ""
    measure = lead(results)
    found = score(entry, measure.key)
    if found is None or found.value is None:
        return _undefined(measure, found)
    return "not the team's best run"


def _unranked(results: Results, entry: Entry) -> str:
    """Why a run may not be ranked, whatever its value; empty if it may."""
    return next(_reasons(results, entry), "")


def unrankable(results: Results, entry: Entry) -> str:
    """Why a run may not be ranked whatever other runs there are; empty if it may."""
    measure = lead(results)
    found = score(entry, measure.key)
    why = next(chain(_set_apart(results, entry), _short(results, entry)), "")
    return why or ("" if found and found.value is not None else _undefined(measure, found))


def _reasons(results: Results, entry: Entry) -> Iterator[str]:
    yield from _barred(results, entry)
    yield from _short(results, entry)


def _short(results: Results, entry: Entry) -> Iterator[str]:
    """Yield what a run lacks to be ranked, of what is right in it."""
    ranking, graded = results.task.ranking, entry.graded
    if graded is None or not graded.n:
        return
    if graded.waits:
        yield NOT_JUDGED
    if graded.right < ranking.min_right and results.task.kind == "answers":
        yield f"fewer than {counted(ranking.min_right, 'right answer')}, needed to be ranked"
    of = graded.n if results.task.missing == "leave-out" else graded.of
    if graded.right / of < ranking.min_accuracy:  # of the counts: the score may be rounded
        yield f"an accuracy below {ranking.min_accuracy:g}, needed to be ranked"


def _barred(results: Results, entry: Entry) -> Iterator[str]:
    """Yield why a run may not be ranked, whichever of its answers are right."""
    yield from _set_apart(results, entry)
    if results.task.ranking.rule == "primary" and not _is_primary(results, entry):
        yield "not the team's primary run"


def _set_apart(results: Results, entry: Entry) -> Iterator[str]:
    """Yield why a run may not be ranked, whichever of its answers are right, or others there."""
    ranking, graded = results.task.ranking, entry.graded
    if "withdrawn" in entry.flags:
        yield ": ".join(filter(None, ("withdrawn", entry.flags["withdrawn"])))
    if graded is None:
        yield "held: it has not been scored yet"
        return
    if not graded.n:
        yield "no instance was scored"
        return
    if "baseline" in entry.flags:
        yield "a baseline"
    if "late" in entry.flags:
        yield entry.flags["late"] or "received after the close"
    if results.task.missing == "leave-out" and graded.n / graded.of < ranking.min_coverage:
        yield f"answered {graded.n} of {graded.of}, {percent(ranking.min_coverage)} needed"


def _is_primary(results: Results, entry: Entry) -> bool:
    """Whether a run is the last that its team named primary."""
    named = [e for e in results.entries if e.team == entry.team and "primary" in e.flags]
    # Of runs that are told to be of one day, the last in the order of arrival.
    return bool(named) and max(reversed(named), key=lambda e: e.received) == entry


def _best(results: Results) -> set[str]:
    """The slug of each team's best run that may be ranked; among equals the earliest.

    Best overall; where the gold has a public part, best on that: the private one chooses nothing.
    """
    measure = lead(results)
    sign = 1 if measure.better == "lower" else -1
    digits = results.task.ranking.digits
    found: dict[str, tuple[float, datetime, int, str]] = {}
    for place, entry in enumerate(results.entries):
        s = score(entry, measure.key, PUBLIC) or score(entry, measure.key)
        if s is None or s.value is None or _unranked(results, entry):
            continue
        value = sign * float(shown(s.value, digits))
        mine = (value, entry.received, place, entry.slug)
        found[entry.team] = min(found.get(entry.team, mine), mine)
    return {slug for *_, slug in found.values()}
