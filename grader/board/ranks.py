"""Who stands where, and why others have no rank."""

from collections.abc import Iterator
from datetime import datetime

from grader.board.phases import phased
from grader.board.rule import percent, rule
from grader.board.values import lead, score, shown
from grader.model import PUBLIC, Board, Entry, Flag, Measure, Results, Row, Score
from grader.plural import counted
from grader.unjudged import NOT_JUDGED

_UNRANKED: tuple[tuple[Flag, str], ...] = (
    ("baseline", "a baseline"),
    ("late", "received after the close"),
)


def rank(results: Results, subset: str = "all") -> Board:
    """The board of a task, or of one subset: ranks 1 2 2 4, and the unranked with the reason.

    Values equal at the shown precision share a rank and stand in the order of team and run
    name. Undefined values have no rank. Each phase is ranked by itself: a task's phases stand one
    after the other.
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
    digits = results.task.ranking.digits
    better = 1 if measure.better == "lower" else -1
    ranked: list[tuple[float, Entry]] = []
    unranked: list[Row] = []
    best = _best(results) if results.task.ranking.rule == "best" else None
    for entry in sorted(results.entries, key=_by_name):
        found = score(entry, measure.key, subset)
        why = _unranked(results, entry) or _second(results, entry, best)
        if why or found is None or found.value is None:
            unranked.append(Row(entry, None, why or _undefined(measure, found)))
        else:
            ranked.append((better * float(shown(found.value, digits)), entry))
    ranked.sort(key=lambda place: place[0])
    values = [value for value, _ in ranked]
    rows = tuple(Row(entry, values.index(value) + 1) for value, entry in ranked)
    return Board(subset, rows, tuple(unranked), rule(results, subset))


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


def _reasons(results: Results, entry: Entry) -> Iterator[str]:
    ranking, graded = results.task.ranking, entry.graded
    if "withdrawn" in entry.flags:
        yield f"withdrawn: {entry.flags['withdrawn']}"
    if graded is None:
        yield "held: it has not been scored yet"
        return
    if not graded.n:
        yield "no instance was scored"
        return
    if any(s.waiting for s in graded.scores if s.subset == "all"):
        yield NOT_JUDGED
    yield from (why for flag, why in _UNRANKED if flag in entry.flags)
    if graded.right < ranking.min_right and results.task.kind == "answers":
        yield f"fewer than {counted(ranking.min_right, 'right answer')}, needed to be ranked"
    of = graded.n if results.task.missing == "leave-out" else graded.of
    if graded.right / of < ranking.min_accuracy:  # of the counts: the score may be rounded
        yield f"an accuracy below {ranking.min_accuracy:g}, needed to be ranked"
    if results.task.missing == "leave-out" and graded.n / graded.of < ranking.min_coverage:
        yield f"answered {graded.n} of {graded.of}, {percent(ranking.min_coverage)} needed"
    if ranking.rule == "primary" and not _is_primary(results, entry):
        yield "not the team's primary run"


def _is_primary(results: Results, entry: Entry) -> bool:
    """Whether a run is the last that its team named primary."""
    named = [e for e in results.entries if e.team == entry.team and "primary" in e.flags]
    return bool(named) and max(named, key=lambda e: e.received) == entry


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
