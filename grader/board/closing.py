"""The board of a phase as of its close, made of what is known of its runs since."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from grader.board.blunt import mean_alone
from grader.board.ranks import rank
from grader.board.values import lead, score
from grader.measures import find
from grader.model import PUBLIC, Board, Closed, Entry, Flag, Graded, Mark, Results, Row

_APART = frozenset({"withdrawn", "baseline", "late"})  # flags of runs that move nobody's rank
_UNSEEN = "were not public while it stood; they are shown when the gold is released"


def closed(
    results: Results,
    shown: Callable[[Results], Results | None],
    saw: Callable[[datetime], bool],
    at: datetime,
) -> Closed | None:
    """The board of a phase as of its close; None if it is not over, or nobody was ranked.

    A run that was withdrawn before anybody could see its scores counts for nothing.

    results  of the phase, as organisers see them
    shown    what may be shown of results of the past; None: nothing
    saw      whether scores of the phase were shown at an instant
    """
    then = _then(results, at)
    if then is None or results.phase is None:
        return None
    left = _left(results, then, results.phase.closes)
    if any(not saw(when) for when in left.values()):
        entries = (e for e in then.entries if e.slug not in left or saw(left[e.slug]))
        then = replace(then, entries=tuple(entries))
    version, digits = then.gold.version, results.task.ranking.digits
    found = Closed(results.phase.closes, version, digits, None)
    seen = shown(then)
    if seen is None:
        return replace(found, why=f"The scores under gold version {version} {_UNSEEN}.")
    if why := next(_unknown(seen, results.phase.closes), ""):
        return replace(found, why=why)
    board = rank(seen)
    if not board.ranked:
        return None
    kept, gone = _without(board, left, results)
    scored = sum(_again(row.entry, version, results) for row in board.ranked)
    digits = seen.task.ranking.digits
    return replace(found, digits=digits, board=kept, gone=gone, scored=scored)


def _then(results: Results, at: datetime) -> Results | None:
    """The results of a phase as they were when it closed, with no scores but whole ones.

    If nothing has changed since, they are the same ones.
    """
    phase, since = results.phase, results.since
    if phase is None or since is None or at < phase.closes:
        return None
    stood = [one.version for one in results.versions if one.registered <= phase.closes]
    every = (*results.earlier, results)
    under = next((one for one in every if stood and one.gold.version == stood[-1]), None)
    if under is None:
        return None
    marks: dict[str, list[Mark]] = defaultdict(list)
    for mark in since.marks:
        marks[mark.run].append(mark)
    entries = [
        replace(entry, flags=_flags(entry, marks[entry.slug], phase.closes))
        if entry.slug in marks
        else entry
        for entry in under.entries
        if entry.received < phase.closes
    ]
    if under is results and entries == list(results.entries):
        return results
    bare = tuple(replace(entry, graded=entry.graded and _whole(entry.graded)) for entry in entries)
    plain = replace(under, entries=bare, since=None, earlier=(), versions=(), releases=())
    return replace(plain, versus={}, beside={}, dropped=(), namings=(), witness=None)


def _whole(graded: Graded) -> Graded:
    """A run's scores on all instances, those that choose its team's best run, and counts."""
    kept = (s for s in graded.scores if s.subset in ("all", PUBLIC))
    scores = tuple(mean_alone(s) if find(s.measure).dimension else s for s in kept)
    bare = replace(graded, scores=scores, reliability=(), notices=())
    return replace(bare, analysed=None, view=None)


def _flags(entry: Entry, marks: Sequence[Mark], closes: datetime) -> Mapping[Flag, str]:
    """A run's flags as of a close, each with its reason if it still has it.

    Whether it was in time is as known now: by the close as it was moved, if it was.
    """
    found = dict(entry.flags)
    for flag in {mark.flag for mark in marks}:
        mine = [mark for mark in marks if mark.flag == flag]
        before = [mark.on for mark in mine if mark.at <= closes]
        if before[-1] if before else not mine[0].on:
            found.setdefault(flag, "")
        else:
            found.pop(flag, None)
    return found


def _left(results: Results, then: Results, closes: datetime) -> Mapping[str, datetime]:
    """The runs that are withdrawn and were not at the close, by their slugs, and since when."""
    gone = {entry.slug for entry in results.entries if "withdrawn" in entry.flags}
    gone &= {entry.slug for entry in then.entries if "withdrawn" not in entry.flags}
    found: dict[str, datetime] = {}
    for mark in results.since.marks if results.since else ():
        if mark.flag == "withdrawn" and mark.on and mark.at > closes and mark.run in gone:
            found.setdefault(mark.run, mark.at)
    return found


def _unknown(seen: Results, closes: datetime) -> Iterator[str]:
    """Yield why the board cannot be told any more."""
    key, under = lead(seen).key, f"gold version {seen.gold.version}"
    for entry in seen.entries:
        if entry.graded is None or _APART & set(entry.flags):
            continue
        if score(entry, key) is None:
            yield f"Runs were not scored under {under} by the measure that ranks them now."
        had = next((old.sha256 for old in entry.amendments if old.at > closes), entry.sha256)
        if f"|run:sha256:{had}|" not in entry.settings:
            yield (
                f"The run {entry.name!r} of {entry.team!r} was amended since: what the file that "
                f"it had then scores under {under} is not kept."
            )


def _again(entry: Entry, version: int, results: Results) -> bool:
    """Whether a run was scored again under a gold version after the close."""
    if results.since is None or results.phase is None:
        return False
    at = results.since.scored.get((version, entry.slug))
    return at is not None and at > results.phase.closes


def _without(
    board: Board, left: Container[str], results: Results
) -> tuple[Board, tuple[Row, ...]]:
    """A board without the scores of runs that left; those that had a rank are apart from it."""
    ranked = tuple(row for row in board.ranked if row.entry.slug not in left)
    gone = tuple(_gone(row, results) for row in board.ranked if row.entry.slug in left)
    unranked = (_gone(row, results) if row.entry.slug in left else row for row in board.unranked)
    return replace(board, ranked=ranked, unranked=tuple(unranked)), gone


def _gone(row: Row, results: Results) -> Row:
    """The row of a run that is withdrawn since: without rank and scores."""
    now = next(entry for entry in results.entries if entry.slug == row.entry.slug)
    why = ": ".join(filter(None, ("withdrawn", now.flags["withdrawn"])))
    return Row(replace(row.entry, graded=None, flags=now.flags), None, why)
