"""How commands answer: text for people, JSON for scripts."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from grader.model import Graded, Rejected, Score
from grader.receipts import notices, pairs, printable, refusal, scores, spelled

__all__ = [
    "analysis",
    "mapping",
    "notices",
    "printable",
    "progress",
    "rejected",
    "say_json",
    "scores",
    "spelled",
    "table",
    "value",
]


def say_json(answer: object) -> None:
    """Print an answer as JSON; a value that JSON has no word for is a bug."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False))


def rejected(name: str, no: Rejected, form: str) -> int:
    """Print everything that is wrong with a file; return the exit code."""
    from grader.report import report

    if form == "json":
        say_json(refusal(no))
    else:
        for line in report(name, no):
            click.echo(printable(line))
    return 1


def analysis(graded: Graded, digits: int) -> dict[str, object] | None:
    """What a run's page says beside its scores; None where nothing was analysed.

    ``digits`` are those of its sentences.
    """
    from grader.analysis.document import document

    found = graded.analysis
    return None if found is None else document(found, graded.reliability, digits)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: drawn on a terminal, tabs in a pipe. Texts are shown as they are.

    On a terminal that is too narrow the columns go on below, after the first one again; no cell
    is cut or folded.
    """
    cells = [[printable(str(c)) for c in row] for row in rows]
    if not sys.stdout.isatty():
        for row in [list(columns), *cells]:
            click.echo("\t".join(row))
        return
    from rich.cells import cell_len
    from rich.console import Console

    wide = [max(map(cell_len, column)) for column in zip(columns, *cells, strict=True)]
    least = Console().width
    for part in _fitting(wide, least):
        console = Console(width=max(least, _across([wide[i] for i in part])))
        _draw(
            console, title, [columns[i] for i in part], [[row[i] for i in part] for row in cells]
        )


def _fitting(wide: Sequence[int], width: int) -> list[list[int]]:
    """Columns in groups that fit, each led by the first column.

    >>> _fitting([4, 10, 10, 10], 32), _fitting([4, 30], 32)
    ([[0, 1, 2], [0, 3]], [[0, 1]])
    """
    groups = [[0]]
    for i in range(1, len(wide)):
        if len(groups[-1]) > 1 and _across([wide[k] for k in (*groups[-1], i)]) > width:
            groups.append([0])
        groups[-1].append(i)
    return groups


def _across(wide: Sequence[int]) -> int:
    """How wide a table is drawn: an edge, and between columns a line with a space on each side."""
    return sum(wide) + 3 * len(wide) - 1


def _draw(console: Any, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(columns):
        number = all(
            row[i].replace(".", "").strip("-–").isdigit() or row[i] in ("", "–") for row in rows
        )
        drawn.add_column(Text(column), justify="right" if number else "left", no_wrap=True)
    for row in rows:
        drawn.add_row(*map(Text, row))
    console.print(drawn, soft_wrap=True)


def value(score: Score | None, digits: int) -> str:
    from grader.board import printed

    return printed(score, digits)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Any]:
    """A progress bar on a terminal, nothing in a pipe; yields a function to call for each step.

    Without a total it only shows that work goes on.
    """
    if not sys.stderr.isatty() or (total is not None and total < 2):
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda *_: bar.advance(task)


def mapping(answer: Mapping[str, object]) -> None:
    """Print names and values, one a line."""
    for line in pairs(answer):
        click.echo(line)
