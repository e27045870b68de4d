"""A team's page: its runs on every board, as far as the page's readers see them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import Entry, Measure, Naming, Row
from grader.site.cells import Cell, cells, joined
from grader.site.sheets import Contest, Sheet, has_page, measures, shown_grading
from grader.site.tables import Said, said_of
from grader.site.versus import may_rank

IN_VIEW = 3  # measures: the one that ranks, and the two beside it
_MOST = 4  # runs that are compared at once


@dataclass(frozen=True, slots=True)
class Line:
    """A run of the team: its row on the board, and its scores; a withdrawn one has none.

    ``ranks`` are those that it may have; empty where it has but its own, or nobody knows.
    """

    row: Row
    cells: tuple[Cell, ...]
    ranks: str = ""

    @property
    def entry(self) -> Entry:
        return self.row.entry


@dataclass(frozen=True, slots=True)
class Showing:
    """The team on a board: of a task, or of one of its phases."""

    contest: Contest
    on: Sheet
    measures: tuple[Measure, ...]
    lines: tuple[Line, ...]

    @property
    def board(self) -> str:
        """The address of the board within the task."""
        return self.contest.home(self.on)

    @property
    def beside(self) -> tuple[str, ...]:
        """The runs to compare, if there are several."""
        shown = [line.entry.slug for line in self.lines if shown_grading(line.entry)]
        return tuple(shown[:_MOST]) if len(shown) > 1 else ()

    @property
    def said(self) -> tuple[Said, ...]:
        """What marks mean, and why values have no interval."""
        columns = map(joined, zip(*(line.cells for line in self.lines), strict=True))
        return said_of(zip(self.measures, columns, strict=True))


@dataclass(frozen=True, slots=True)
class Side:
    """A team with all that is seen of it. ``namings``: what it was called before, newest first."""

    slug: str
    name: str
    showings: tuple[Showing, ...]
    namings: tuple[Naming, ...]

    @property
    def runs(self) -> int:
        return sum(has_page(line.entry) for showing in self.showings for line in showing.lines)


def sides(contests: Sequence[Contest]) -> tuple[Side, ...]:
    """The teams that have a run on a board, by their addresses."""
    names = {
        entry.team_slug: entry.team
        for contest in contests
        for on in contest.sheets
        for entry in on.results.entries
        if entry.team_slug
    }
    found: dict[str, list[Showing]] = {slug: [] for slug in sorted(names)}
    for contest in contests:
        for on in contest.sheets:
            for slug, lines in _lines(on).items():
                found[slug].append(Showing(contest, on, _in_view(on), tuple(lines)))
    return tuple(
        Side(slug, names[slug], tuple(showings), tuple(_namings(names[slug], showings)))
        for slug, showings in found.items()
    )


def _in_view(on: Sheet) -> tuple[Measure, ...]:
    return measures(on.results)[:IN_VIEW]


def _lines(on: Sheet) -> dict[str, list[Line]]:
    """The rows of each team on a board, in its order."""
    rows = [row for row in on.board.rows if row.entry.team_slug]
    places = [(measure.key, "all") for measure in _in_view(on)]
    digits = on.results.task.ranking.digits
    columns = (cells(column, digits) for column in on.found(rows, places))
    found: dict[str, list[Line]] = {}
    may = may_rank(on)
    for row, printed in zip(rows, zip(*columns, strict=True), strict=True):
        line = Line(row, printed, may.get(row.entry.slug, ""))
        found.setdefault(row.entry.team_slug, []).append(line)
    return found


def _namings(name: str, showings: Sequence[Showing]) -> Iterator[Naming]:
    """Yield what boards say of the team's other names, the newest first, each once."""
    known, told = {name}, set()
    every = {naming for showing in showings for naming in showing.on.results.namings}
    for naming in sorted(every, key=lambda one: one.at, reverse=True):
        if naming.after in known and naming not in told:
            known.add(naming.before)
            told.add(naming)
            yield naming
