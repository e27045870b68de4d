"""How the boards of a task came about: frozen results, as of the close of phases, as they stand.

Boards of different phases have different runs, so each phase has a course of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise

from grader.board import lead, score
from grader.measures import find
from grader.model import Closed, Measure, Named, Release, Row
from grader.site.cells import Cell, cell, joined
from grader.site.frozen import Official, Place, Printed, official, wholes
from grader.site.sheets import Contest, Sheet, has_page
from grader.site.tables import Said, said_of

_BEFORE, _AFTER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Line:
    """A run on a board: ``moved`` in signs and ``said`` in words against the board before.

    A run that was ranked there and is not here has no rank, no value, and a reason.
    """

    slug: str
    team: str
    name: str
    rank: int | None
    cell: Cell
    why: str = ""
    moved: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """The ranked runs of a board, frozen in a ``release`` (at its address) or as it stands.

    Or as of the close of its phase (``closed``). ``unranked`` says why others are not. ``first``:
    there is none before it to compare it with. ``same``: nothing is other than there. ``why`` it
    is not told who was on it; else empty.
    """

    release: Release | None
    address: str
    version: int
    measure: Measure
    lines: tuple[Line, ...]
    unranked: Mapping[str, str] = field(default_factory=dict)
    first: bool = True
    same: bool = False
    closed: Closed | None = None

    @property
    def why(self) -> str:
        return self.closed.why if self.closed else ""

    @property
    def said(self) -> tuple[Said, ...]:
        """What marks mean, and why values have no interval."""
        cells = joined([line.cell for line in self.lines if not line.why])
        return said_of([(self.measure, cells)])

    @property
    def name(self) -> str:
        """What stands above it."""
        if self.release:
            return self.release.name
        return "At the close" if self.closed else "As it stands"

    @property
    def at(self) -> datetime:
        """When it stood so; the board of today stands after all others."""
        if self.release:
            return self.release.at
        return self.closed.at if self.closed else _AFTER


@dataclass(frozen=True, slots=True)
class Course:
    """The boards of a phase (of a task without any: no name), the newest first.

    ``closes``: when the phase does; None of one that the task has no more, or if there is none.
    """

    phase: str
    closes: datetime | None
    boards: tuple[Board, ...]


def courses(contest: Contest) -> tuple[Course, ...]:
    """The courses of a task that are seen, the newest phase first."""
    sheets = {on.phase.name if on.phase else "": on for on in contest.sheets}
    frozen = [b.phase for one in official(contest) for b in one.release.frozen.boards]
    names = dict.fromkeys((*frozen, *sheets))
    found = [_course(contest, name, sheets.get(name)) for name in names]
    found.sort(key=lambda course: course.closes or _BEFORE, reverse=True)
    return tuple(course for course in found if course.boards)


def told(contest: Contest) -> bool:
    """Whether there is anything that the board of today does not say."""
    seen = [on for on in contest.sheets if on.results.closed or (on.phase and on.board.ranked)]
    return bool(seen or official(contest))


def _course(contest: Contest, phase: str, on: Sheet | None) -> Course:
    """The boards of a phase; ``on`` has today's, None if the task has the phase no more."""
    gone = _withdrawn(contest)
    boards = [
        _frozen(one, printed, gone)
        for one in official(contest)
        for printed in wholes(one.release)
        if printed.board.phase == phase and printed.places
    ]
    if on is not None and on.results.closed is not None:
        boards.append(_at_close(on, on.results.closed))
    if on is not None and on.results.unseen is None and on.board.rows:
        boards.append(_today(on))
    boards.sort(key=lambda board: board.at)
    known = [board for board in boards if not board.why]
    moved = [*known[:1], *(_against(before, after) for before, after in pairwise(known))]
    untold = [board for board in boards if board.why]
    closes = on.phase.closes if on and on.phase else None
    found = sorted((*untold, *moved), key=lambda board: board.at, reverse=True)
    return Course(phase, closes, tuple(found))


def _withdrawn(contest: Contest) -> dict[str, str]:
    """The runs that are withdrawn now, by their slugs, and why."""
    rows = (row for on in contest.sheets for row in on.board.unranked)
    return {row.entry.slug: row.why for row in rows if not has_page(row.entry)}


def _frozen(one: Official, printed: Printed, gone: Mapping[str, str]) -> Board:
    """A frozen board; what is withdrawn since has a row without numbers, the last ones."""
    ranked = [place for place in printed.places if place.rank]
    lines = [_of_place(place) for place in ranked if place.named.slug not in gone]
    lines += (_of_gone(place.named, gone) for place in ranked if place.named.slug in gone)
    unranked = {place.named.slug: place.why for place in printed.places if not place.rank}
    frozen = one.release.frozen
    measure, version = find(frozen.primary), frozen.gold.version
    return Board(one.release, one.address, version, measure, tuple(lines), unranked)


def _of_place(place: Place) -> Line:
    named = place.named
    return Line(named.slug, named.team, named.name, place.rank, place.cells[0])


def _of_gone(named: Named, gone: Mapping[str, str]) -> Line:
    return Line(named.slug, named.team, named.name, None, Cell(), gone[named.slug])


def _today(on: Sheet) -> Board:
    measure, digits = lead(on.results), on.results.task.ranking.digits
    lines = tuple(_of_row(row, measure, digits) for row in on.board.ranked)
    unranked = {row.entry.slug: row.why for row in on.board.unranked}
    return Board(None, "", on.results.gold.version, measure, lines, unranked)


def _at_close(on: Sheet, closed: Closed) -> Board:
    measure, board = lead(on.results), closed.board
    rows = (*board.ranked, *closed.gone) if board else ()
    lines = tuple(_of_row(row, measure, closed.digits) for row in rows)
    unranked = {row.entry.slug: row.why for row in board.unranked} if board else {}
    return Board(None, "", closed.version, measure, lines, unranked, closed=closed)


def _of_row(row: Row, measure: Measure, digits: int) -> Line:
    entry = row.entry
    printed = cell(score(entry, measure.key), digits)
    return Line(entry.slug, entry.team, entry.name, row.rank, printed, row.why)


def _against(before: Board, after: Board) -> Board:
    """A board with what moved since the one before it."""
    ranks = {line.slug: line.rank for line in before.lines}
    lines = [_moved(line, ranks) if line.rank else line for line in after.lines]
    here = {line.slug for line in after.lines}
    same = _plain(before.lines) == _plain(after.lines)
    lines += (_left(line, after.unranked) for line in before.lines if line.slug not in here)
    return replace(after, lines=tuple(lines), first=False, same=same)


def _plain(lines: Sequence[Line]) -> list[tuple[str, int | None, str]]:
    return [(line.slug, line.rank, line.cell.text) for line in lines]


def _moved(line: Line, ranks: Mapping[str, int | None]) -> Line:
    """A ranked run against its rank on the board before.

    >>> line = Line("a-1", "A", "one", 2, Cell("0.5"))
    >>> [_moved(line, before).moved for before in ({"a-1": 4}, {"a-1": 1}, {"a-1": 2}, {})]
    ['↑2', '↓1', '=', 'new']
    """
    before, now = ranks.get(line.slug), line.rank
    if before is None or now is None:
        return replace(line, moved="new", said="not ranked on the board before")
    if before == now:
        return replace(line, moved="=", said="as on the board before")
    way, sign = ("up", "↑") if now < before else ("down", "↓")
    many = abs(now - before)
    return replace(line, moved=f"{sign}{many}", said=f"{way} {many} from rank {before}")


def _left(line: Line, unranked: Mapping[str, str]) -> Line:
    """A run that was ranked on the board before: no rank and no number."""
    why = unranked.get(line.slug, "on the board no more")
    place = f"rank {line.rank} " if line.rank else ""  # of one that is withdrawn it is not told
    said = f"was {place}on the board before"
    return Line(line.slug, line.team, line.name, None, Cell(), why, "–", said)
