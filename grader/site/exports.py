"""A board as files for papers and programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from grader.board import lead
from grader.board.values import rounded
from grader.model import Row, Score
from grader.site.sheets import Contest, Sheet, has_page, shown_grading
from grader.tabular.board import board
from grader.tabular.citation import bibtex, work_of
from grader.tabular.columns import Series, as_json, csv, records
from grader.tabular.latex import tabular
from grader.tabular.parquet import able, parquet

_TITLES = {"csv": "CSV", "json": "JSON", "tex": "LaTeX", "parquet": "Parquet"}


def files(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """Yield the files of every board whose scores are seen, and how the task is cited.

    Each phase has them at addresses that stay its own. Of the newest they stand beside the task's
    page too, where they become those of another phase.
    """
    yield f"{contest.slug}/task.bib", _cited(contest).encode("utf-8", "replace")
    for on in contest.sheets:
        homes = [_home(on)] if lasting(on) else []
        homes += [""] if on is contest.shown and offered(contest) else []
        for name, content in _made(on) if homes else ():
            yield from ((f"{contest.slug}/{home}{name}", content) for home in homes)


def offered(contest: Contest) -> tuple[tuple[str, str], ...]:
    """The addresses within the task, and the titles, of the files of its newest board.

    None while scores of all are hidden.
    """
    return _named("") if contest.shown.results.unseen is None else ()


def lasting(on: Sheet) -> tuple[tuple[str, str], ...]:
    """The same of a phase, at addresses that stay; none while no run of it is seen."""
    there = on.address and on.results.unseen is None and on.results.entries
    return _named(_home(on)) if there else ()


def _home(on: Sheet) -> str:
    return f"phase/{on.address}/"


def _named(home: str) -> tuple[tuple[str, str], ...]:
    there = (kind for kind in _TITLES if kind != "parquet" or able())
    return tuple((f"{home}board.{kind}", _TITLES[kind]) for kind in there)


def _made(on: Sheet) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of a board."""
    columns = _columns(on)
    yield "board.csv", csv(columns).encode("utf-8", "replace")
    yield "board.json", _json(on, columns).encode("utf-8", "replace")
    yield "board.tex", _latex(on).encode("utf-8", "replace")
    if able():
        yield "board.parquet", parquet(columns)


def _columns(on: Sheet) -> tuple[Series, ...]:
    """The board: its rows are as ``_found`` has them, its numbers as the board prints them."""
    found, digits = list(_found(on)), on.results.task.ranking.digits
    rows, scores = _across(found, 2)
    keys, subsets, n, values, lows, highs, notes, without, details, _ = _across(scores, 10)
    entries, ranks, unranked = _across(rows, 3)
    floors = [(each.get("floor mean"), each.get("floor 95%")) for each in details]
    means, limits = _across(floors, 2)
    flags = {entry.slug: "; ".join(entry.flags) for entry in on.results.entries}
    return (
        Series("task", "text", [on.slug] * len(found)),
        Series("phase", "text", [on.phase.name if on.phase else ""] * len(found)),
        Series("subset", "text", subsets),
        Series("rank", "integer", ranks),
        Series("team", "text", [entry.team for entry in entries]),
        Series("run", "text", [entry.slug for entry in entries]),  # its address
        Series("name", "text", [entry.name for entry in entries]),  # what the team calls it
        Series("flags", "text", [flags[entry.slug] for entry in entries]),
        Series("unranked", "text", unranked),
        Series("measure", "text", keys),
        Series("n", "integer", n),
        Series("value", "double", rounded(values, digits)),
        Series("low", "double", rounded(lows, digits)),  # the ends of the 95% interval
        Series("high", "double", rounded(highs, digits)),
        Series("floor_mean", "double", rounded(means, digits)),
        Series("floor_95", "double", rounded(limits, digits)),
        Series("note", "text", notes),
        Series("no_interval", "text", without),
    )


def _across(rows: Sequence[Sequence[Any]], many: int) -> tuple[Sequence[Any], ...]:
    """The columns of rows of ``many`` cells."""
    return tuple(zip(*rows, strict=True)) or ((),) * many


def _found(on: Sheet) -> Iterator[tuple[Row, Score]]:
    """Yield each run of the whole board with each of its scores, and of each subset's primary."""
    places = [(lead(on.results, subset).key, subset) for subset in on.boards]
    # Run by run: what is read one after the other lies near in memory.
    firsts = {slug: list(map(of.get, places)) for slug, of in on.scores.items()}
    for i, (subset, made) in enumerate(on.boards.items()):
        if subset == "all":
            every = [(row, on.scores[row.entry.slug].values()) for row in made.rows]
            yield from [(row, one) for row, of in every for one in of if one.subset == "all"]
        else:
            each = [(row, firsts[row.entry.slug][i]) for row in made.rows]
            yield from [(row, one) for row, one in each if one]


def _json(on: Sheet, columns: Sequence[Series]) -> str:
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
    runs = (as_json(_run(row)) for row in on.board.rows)
    parts = [f"{as_json(key)}: {as_json(value)}" for key, value in told.items()]
    lines = {"runs": ",\n".join(runs), "scores": records(columns)}
    parts += [f"{as_json(key)}: [\n{each}\n]" for key, each in lines.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _run(row: Row) -> dict[str, object]:
    entry = row.entry
    return {
        "rank": row.rank,
        "team": entry.team,
        "run": entry.slug,
        "name": entry.name,
        "flags": dict(entry.flags),
        "unranked": row.why or None,
        "signature": f"KEY|version:VERSION|{entry.settings}" if has_page(entry) else None,
    }


def _latex(on: Sheet) -> str:
    """The board for a paper that loads booktabs."""
    scored = (row for row in on.board.rows if shown_grading(row.entry))
    table = board(on.results, scored)
    return f"% needs \\usepackage{{array,booktabs,longtable}}\n{tabular(table)}"


def _cited(contest: Contest) -> str:
    came = (entry.received for on in contest.sheets for entry in on.results.entries)
    year = max((moment.year for moment in came), default=None)
    return bibtex([work_of(contest.now.results, year, (), contest.at)])
