"""A board as files for papers and programs."""

import json
from collections.abc import Iterable, Iterator

from grader.board import lead, shown
from grader.model import Row, Score
from grader.site.sheets import Contest, Sheet
from grader.tabular.board import board
from grader.tabular.citation import bibtex, work_of
from grader.tabular.latex import tabular
from grader.tabular.parquet import able, parquet
from grader.tabular.sheet import Cell, Column, Table, Told

_COLUMNS = (
    Column("task", "its address", "key"),
    Column("phase", "whose board it is; empty in a task without phases", "key"),
    Column("subset", "all, or dimension=value", "key"),
    Column("rank", "on the board of that subset; empty if it has none", "number"),
    Column("team", "as the board has it"),
    Column("run", "its address", "key"),
    Column("name", "what the team calls it"),
    Column("flags", "separated by semicolons"),
    Column("unranked", "why it has no rank"),
    Column("measure", "its key", "key"),
    Column("n", "instances that it is of", "number"),
    Column("value", "at the decimals of the board; empty where undefined", "number"),
    Column("low", "the lower end of the 95% interval", "number"),
    Column("high", "its upper end", "number"),
    Column("floor_mean", "of a calibration error: what noise alone gives in the mean", "number"),
    Column("floor_95", "and stays within in 95% of cases", "number"),
    Column("note", "the convention that decided it, or why it is undefined"),
    Column("no_interval", "why there is no interval"),
)
_TITLES = {"csv": "CSV", "json": "JSON", "tex": "LaTeX", "parquet": "Parquet"}


def files(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the board that a task's page begins with, and how the task is cited."""
    yield f"{contest.slug}/task.bib", _cited(contest).encode("utf-8", "replace")
    if not offered(contest):
        return
    on = contest.now
    table = Table("board", contest.task.title, _COLUMNS, tuple(_rows(on)))
    home = f"{contest.slug}/board"
    yield f"{home}.csv", table.csv().encode("utf-8", "replace")
    yield f"{home}.json", _json(on, table).encode("utf-8", "replace")
    yield f"{home}.tex", _latex(on).encode("utf-8", "replace")
    if able():
        yield f"{home}.parquet", parquet(table)


def offered(contest: Contest) -> tuple[tuple[str, str], ...]:
    """The addresses and titles of the files of a board; none while its runs are hidden."""
    if contest.now.results.unseen is not None:
        return ()
    there = (kind for kind in _TITLES if kind != "parquet" or able())
    return tuple((f"board.{kind}", _TITLES[kind]) for kind in there)


def _rows(on: Sheet) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each run and measure of the whole board, and of each subset's primary."""
    phase = on.phase.name if on.phase else ""
    for subset, made in on.boards.items():
        first = lead(on.results, subset).key, subset
        for row in made.rows:
            head = (on.slug, phase, subset, *_head(row))
            scores = on.scores[row.entry.slug]
            if subset != "all":
                each = [scores[first]] if first in scores else []
            else:
                each = [one for one in scores.values() if one.subset == "all"]
            yield from ((*head, *_score(on, one)) for one in each)


def _head(row: Row) -> tuple[Cell, ...]:
    entry = row.entry
    return row.rank, entry.team, entry.slug, entry.name, "; ".join(entry.flags), row.why


def _score(on: Sheet, one: Score) -> tuple[Cell, ...]:
    digits = on.results.task.ranking.digits
    numbers = (one.value, one.low, one.high, one.floor_mean, one.floor_95)
    return (
        one.measure,
        one.n,
        *(_at(number, digits) for number in numbers),
        one.note,
        one.no_interval,
    )


def _at(value: float | None, digits: int) -> Told:
    """A number with no more decimals than the board prints."""
    text = shown(value, digits)
    return Told(None if value is None else float(text), text)


def _json(on: Sheet, table: Table) -> str:
    """The rows, and beside them what the board stands on and every run of it."""
    results = on.results
    told = {
        "task": on.slug,
        "title": results.task.title,
        "phase": on.phase.name if on.phase else None,
        "primary": results.task.primary,
        "rule": on.board.rule,
        "digits": results.task.ranking.digits,
        "gold": {"version": results.gold.version, "commitment": results.gold.commitment},
        "pseudonyms": results.veiled,
    }
    runs = (_run(row) for row in on.board.rows)
    parts = [f"{_text(key)}: {_text(value)}" for key, value in told.items()]
    parts += [f'"runs": {_lines(runs)}', f'"scores": {_lines(table.records())}']
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(each: Iterable[object]) -> str:
    """A list with a line for each: written so it takes a tenth of the time of an indented one."""
    return "[\n" + ",\n".join(map(_text, each)) + "\n]"


_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _run(row: Row) -> dict[str, object]:
    entry = row.entry
    return {
        "rank": row.rank,
        "team": entry.team,
        "run": entry.slug,
        "name": entry.name,
        "flags": dict(entry.flags),
        "unranked": row.why or None,
        "signature": f"KEY|version:VERSION|{entry.settings}",
    }


def _latex(on: Sheet) -> str:
    """The board for a paper that loads booktabs."""
    scored = {entry.slug for entry in on.taking_part if entry.graded}
    table = board(on.results, scored)
    return f"% needs \\usepackage{{array,booktabs,longtable}}\n{tabular(table)}"


def _cited(contest: Contest) -> str:
    came = (entry.received for on in contest.sheets for entry in on.results.entries)
    year = max((moment.year for moment in came), default=None)
    return bibtex([work_of(contest.now.results, year, (), contest.at)])
