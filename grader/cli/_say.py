"""How commands answer: text for people, JSON for scripts."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from grader.model import Graded, Notice, Rejected, Score


def say_json(answer: object) -> None:
    """Print an answer as JSON; a value that JSON has no word for is a bug."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False))


def rejected(name: str, no: Rejected, form: str) -> int:
    """Print everything that is wrong with a file; return the exit code."""
    from grader.check import MENDS
    from grader.report import report

    if form == "json":
        problems = [
            {
                "code": p.code,
                "line": p.line,
                "field": p.field,
                "message": p.message,
                "mend": MENDS.get(p.code, ""),
            }
            for p in no.problems
        ]
        say_json({"rejected": True, "total": len(problems), "problems": problems})
    else:
        for line in report(name, no):
            click.echo(printable(line))
    return 1


def printable(text: str) -> str:
    """A line whose control characters cannot move the reader's cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def notices(found: Sequence[Notice]) -> list[dict[str, str]]:
    return [{"code": n.code, "message": n.message} for n in found]


def scores(graded: Graded, settings: str) -> dict[str, Any]:
    """A run's scores as the contract of `score --format json` has them."""
    from grader.scoring import signature

    subsets: dict[str, Any] = {}
    for s in graded.scores:
        part = subsets.setdefault(s.subset, {"n": s.n, "measures": {}})
        part["measures"][s.measure] = {
            "value": s.value,
            "low": s.low,
            "high": s.high,
            "note": s.note or None,
            "no_interval": s.no_interval or None,
            "details": dict(s.details),
            "signature": signature(s, settings),
        }
    return subsets


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: drawn on a terminal, tabs in a pipe. Texts are shown as they are."""
    cells = [[printable(str(c)) for c in row] for row in rows]
    if not sys.stdout.isatty():
        for row in [list(columns), *cells]:
            click.echo("\t".join(row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title or None, title_justify="left")
    for column in columns:
        drawn.add_column(Text(column), overflow="fold")
    for row in cells:
        drawn.add_row(*map(Text, row))
    Console().print(drawn)


def value(score: Score | None, digits: int) -> str:
    from grader.board import shown

    return shown(score.value if score else None, digits)


@contextmanager
def progress(what: str, total: int) -> Iterator[Any]:
    """A progress bar on a terminal, nothing in a pipe; yields a function to call for each step."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda *_: bar.advance(task)


def mapping(answer: Mapping[str, object]) -> None:
    """Print names and values, one a line."""
    wide = max(map(len, answer), default=0)
    for name, given in answer.items():
        click.echo(f"{name:<{wide}}  {printable(str(given))}")


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(2, "run")
    ('1 run', '2 runs')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"
