"""How commands answer: text for people, JSON for scripts."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from grader.model import Graded, Notice, Rejected, Score, Slots


def say_json(answer: object) -> None:
    """Print an answer as JSON; a value that JSON has no word for is a bug."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False))


def rejected(name: str, no: Rejected, form: str) -> int:
    """Print everything that is wrong with a file; return the exit code."""
    from grader.report import mend, report

    if form == "json":
        problems = [
            {
                "code": p.code,
                "line": p.line,
                "field": p.field,
                "message": p.message,
                "mend": mend(p.code),
            }
            for p in no.problems
        ]
        answer = {"rejected": True, "total": len(problems), "problems": problems}
        say_json(answer | ({"slots": slots_of(no.slots)} if no.slots else {}))
    else:
        for line in report(name, no):
            click.echo(printable(line))
    return 1


def slots_of(found: Slots | None) -> dict[str, object] | None:
    """What a team may still send, as JSON has it."""
    if found is None:
        return None
    return {
        "rule": found.rule,
        "used": found.used,
        "today": found.today,
        "next": found.next.isoformat() if found.next else None,
        "why": found.why or None,
    }


def printable(text: str) -> str:
    """A line whose control characters cannot move the reader's cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def notices(found: Sequence[Notice]) -> list[dict[str, str]]:
    return [{"code": n.code, "message": n.message} for n in found]


def scores(graded: Graded, settings: str, digits: int | None = None) -> dict[str, Any]:
    """A run's scores as the contract of `score --format json` has them.

    ``digits`` rounds the values: with all digits a sender could read the gold out of a score.
    """

    def to(value: float | None) -> float | None:
        return value if value is None or digits is None else round(value, digits)

    from grader.scoring import signature

    subsets: dict[str, Any] = {}
    for s in graded.scores:
        part = subsets.setdefault(s.subset, {"n": s.n, "measures": {}})
        part["measures"][s.measure] = {
            "value": to(s.value),
            "low": to(s.low),
            "high": to(s.high),
            "note": s.note or None,
            "no_interval": s.no_interval or None,
            "details": dict(s.details) if digits is None else {},
            "signature": signature(s, settings),
        }
    return subsets


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
    from rich.console import Console

    console = Console()
    wide = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    for part in _fitting(wide, console.width):
        _draw(
            console, title, [columns[i] for i in part], [[row[i] for i in part] for row in cells]
        )


def _fitting(wide: Sequence[int], width: int) -> list[list[int]]:
    """Columns in groups that fit, each led by the first column.

    >>> _fitting([4, 10, 10, 10], 30)
    [[0, 1, 2], [0, 3]]
    """
    groups = [[0]]
    for i in range(1, len(wide)):
        if len(groups[-1]) > 1 and sum(wide[k] + 2 for k in (*groups[-1], i)) > width:
            groups.append([0])
        groups[-1].append(i)
    return groups


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


def spelled(score: Score, digits: int) -> str:
    """A score in words: its value and what decided it, or why there is none."""
    text = value(score, digits)
    if score.value is None and text != "∞":
        return f"undefined ({score.note})"
    return text + "".join(f"  ({said})" for said in (_floor(score, digits), score.note) if said)


def _floor(score: Score, digits: int) -> str:
    """The floor of a calibration error in words; empty for other measures."""
    from grader.board import shown

    if score.floor_95 is None:
        return ""
    floor = f"floor {shown(score.floor_mean, digits)}, 95% {shown(score.floor_95, digits)}"
    return floor if score.above_floor else f"{floor}: not distinguishable from calibrated"


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
    wide = max(map(len, answer), default=0)
    for name, given in answer.items():
        click.echo(f"{name:<{wide}}  {printable(str(given))}")
