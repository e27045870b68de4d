"""Who stands where, and why others have no rank."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from operator import itemgetter

from grader.board.phases import phased
from grader.board.rule import percent, rule
from grader.board.values import lead, rounded, score, shown
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
    return boards(results, (subset,))[subset]


def boards(results: Results, subsets: Iterable[str]) -> Mapping[str, Board]:
    """The board of each of these subsets, as ``rank`` has it."""
    wanted = tuple(subsets)
    parts = [(part, _scores(part, wanted)) for part in map(_entrants, phased(results))]
    found = {s: [_rows(part, s, scores[s]) for part, scores in parts] for s in wanted}
    return {subset: _board(results, subset, rows) for subset, rows in found.items()}


@dataclass(frozen=True, slots=True)
class _Entrants:
    """The runs of a phase by team and run name, with why each has no rank on any of its boards.

    That is empty of one that may have a rank. ``waiting`` may have one once they are judged.
    """

    results: Results
    runs: tuple[tuple[Entry, str], ...]
    waiting: tuple[Entry, ...]


def _entrants(results: Results) -> _Entrants:
    primary = _primary(results) if results.task.ranking.rule == "primary" else None
    barred = {e.slug: next(_barred(results, e, primary), "") for e in results.entries}
    whys = {e.slug: barred[e.slug] or next(_short(results, e), "") for e in results.entries}
    best = _best(results, whys) if results.task.ranking.rule == "best" else None
    runs = sorted(results.entries, key=_by_name)
    waiting = (e for e in results.entries if e.graded and e.graded.waits and not barred[e.slug])
    return _Entrants(
        results,
        tuple((entry, whys[entry.slug] or _second(results, entry, best)) for entry in runs),
        tuple(waiting),
    )


def _scores(part: _Entrants, subsets: Sequence[str]) -> Mapping[str, Sequence[Score | None]]:
    """By subset the scores that rank the runs of a phase, in their order.

    All of a run are looked up together: it takes long to come back to each of many runs.
    """
    keys = {subset: (lead(part.results, subset).key, subset) for subset in subsets}
    each = (entry.graded.by_key if entry.graded else {} for entry, _ in part.runs)
    rows = [list(map(scores.get, keys.values())) for scores in each]
    return dict(zip(keys, zip(*rows, strict=True) if rows else repeat(()), strict=False))


_Rows = tuple[Sequence[Row], Sequence[Row]]  # those that have a rank, and those that have none


def _board(results: Results, subset: str, each: Sequence[_Rows]) -> Board:
    ranked = chain.from_iterable(rows for rows, _ in each)
    unranked = chain.from_iterable(rows for _, rows in each)
    return Board(subset, tuple(ranked), tuple(unranked), rule(results, subset))


def _rows(part: _Entrants, subset: str, scores: Sequence[Score | None]) -> _Rows:
    """The rows of a phase's board, of the ``scores`` of its runs there."""
    measure, digits = lead(part.results, subset), part.results.task.ranking.digits
    better = 1 if measure.better == "lower" else -1
    values = rounded([found.value if found else None for found in scores], digits)
    places: list[tuple[float, Entry]] = []
    unranked: list[Row] = []
    for (entry, why), found, value in zip(part.runs, scores, values, strict=True):
        if why or value is None:
            unranked.append(Row(entry, None, why or _undefined(measure, found)))
        else:
            places.append((better * value, entry))
    places.sort(key=itemgetter(0))
    order = [place for place, _ in places]
    rivals = tuple(_rivals(part, measure, subset))
    rows = [
        (entry, bisect_left(order, place) + 1, _passing(place, entry, rivals) if rivals else 0)
        for place, entry in places
    ]
    ranked = [Row(entry, rank + passed) for entry, rank, passed in rows if passed is not None]
    left = [Row(entry, None, _OPEN) for entry, _, passed in rows if passed is None]
    return ranked, left + unranked


def _place(results: Results, measure: Measure, value: float) -> float:
    """A value as it is shown, the less the better."""
    better = 1 if measure.better == "lower" else -1
    return better * float(shown(value, results.task.ranking.digits))


def _rivals(part: _Entrants, measure: Measure, subset: str) -> Iterator[tuple[float, float, str]]:
    """Yield the best and worst place, and the team, of each run that may be ranked once judged."""
    for entry in part.waiting:
        found = score(entry, measure.key, subset)
        ends = found.extremes if found else None
        if found and found.value is not None:
            ends = (found.value, found.value)
        if ends is None:
            yield -math.inf, math.inf, entry.team
        else:
            best, worst = sorted(_place(part.results, measure, end) for end in ends)
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


def _second(results: Results, entry: Entry, best: frozenset[str] | None) -> str:
    """Why a run that may be ranked is not its team's best one; empty if it is, or no matter."""
    if best is None or entry.slug in best:
        return ""
    measure = lead(results)
    found = score(entry, measure.key)
    if found is None or found.value is None:
        return _undefined(measure, found)
    return "not the team's best run"


def unrankable(results: Results, entry: Entry) -> str:
    """Why a run may not be ranked whatever other runs there are; empty if it may."""
    measure = lead(results)
    found = score(entry, measure.key)
    why = next(chain(_set_apart(results, entry), _short(results, entry)), "")
    return why or ("" if found and found.value is not None else _undefined(measure, found))


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


def _barred(results: Results, entry: Entry, primary: frozenset[str] | None) -> Iterator[str]:
    """Yield why a run may not be ranked, whichever of its answers are right.

    primary  the only runs that may; None: it is no matter
    """
    yield from _set_apart(results, entry)
    if primary is not None and entry.slug not in primary:
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


def _primary(results: Results) -> frozenset[str]:
    """The slug of the run that each team named primary last."""
    last: dict[str, Entry] = {}
    for entry in results.entries:
        # Of runs that are told to be of one day, the last in the order of arrival.
        if "primary" in entry.flags and entry.received >= last.get(entry.team, entry).received:
            last[entry.team] = entry
    return frozenset(entry.slug for entry in last.values())


def _best(results: Results, whys: Mapping[str, str]) -> frozenset[str]:
    """The slug of each team's best run that may be ranked; among equals the earliest.

    whys  why a run, by its slug, may not; empty if it may

    Best overall; where the gold has a public part, best on that: the private one chooses nothing.
    """
    measure = lead(results)
    sign = 1 if measure.better == "lower" else -1
    digits = results.task.ranking.digits
    found: dict[str, tuple[float, datetime, int, str]] = {}
    for place, entry in enumerate(results.entries):
        s = score(entry, measure.key, PUBLIC) or score(entry, measure.key)
        if s is None or s.value is None or whys[entry.slug]:
            continue
        value = sign * float(shown(s.value, digits))
        mine = (value, entry.received, place, entry.slug)
        found[entry.team] = min(found.get(entry.team, mine), mine)
    return frozenset(slug for *_, slug in found.values())
