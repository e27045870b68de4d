"""A board as a table for print."""

from collections.abc import Iterable

from grader.board import printed, score
from grader.measures import find
from grader.model import Results, Row, Score
from grader.tabular.sheet import Cell, Column, Table, Told, told


def board(results: Results, scored: Iterable[Row]) -> Table:
    """The board as a paper prints it: a row for each run that is scored, a column a measure.

    scored  the rows of runs that have scores to show
    """
    digits = results.task.ranking.digits
    measures = [find(key) for key in results.task.keys]
    first, *rest = measures
    names = ("#", "Team", "Run", first.title, "95% interval", *(m.title for m in rest))
    rows: list[tuple[Cell, ...]] = []
    for row in scored:
        each = [score(row.entry, m.key) for m in measures]
        cells = [_marked(one, digits) for one in each]
        name = (row.rank, row.entry.team, row.entry.name)
        rows.append((*name, cells[0], _interval(each[0], digits), *cells[1:]))
    shown = {name: "l" if name in ("Team", "Run", "95% interval") else "r" for name in names}
    columns = tuple(Column(name, "", title=name) for name in names)
    return Table("board", "The board", columns, tuple(rows), shown)


def _marked(one: Score | None, digits: int) -> Told:
    """A value as the board has it: † where a convention decided it."""
    mark = "†" if one and one.value is not None and one.note else ""
    return Told(one.value if one else None, printed(one, digits) + mark)


def _interval(one: Score | None, digits: int) -> Told:
    if one is None or one.low is None or one.high is None:
        return Told(None, "")
    return Told(None, f"[{told(one.low, digits).text}, {told(one.high, digits).text}]")
