"""grader compare: runs against each other, in pairs."""

import os
from pathlib import Path
from typing import Any

import click

from grader.cli._options import database


@click.command("compare")
@click.argument("runs", nargs=-1, required=True)
@click.option("--task", required=True, metavar="DIR|SLUG", help="A folder, or a registered task.")
@click.option("--measures", metavar="…", help="Keys, separated by commas; else the primary.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for scripts, LaTeX for papers.",
)
@database
def command(runs: tuple[str, ...], task: str, measures: str | None, form: str, db: str) -> None:
    """Compare RUN with RUN …: differences with simultaneous intervals and adjusted p.

    With a registered task a RUN is its address (grader run list); with a task's folder, a file.

    \b
        grader compare trees-1 trees-2 --task digits
        grader compare a.csv b.csv --task tasks/digits --measures hmr,brier --format latex
    """
    from grader.cli._say import say_json
    from grader.cli._task import listed
    from grader.errors import Mistake
    from grader.pairwise import tables

    if len(set(runs)) < 2:
        raise Mistake("two different runs are needed to compare")
    files = all(map(os.path.isfile, runs)) or os.sep in task
    found = _files(Path(task), runs) if files else _stored(db, task, runs)
    keys = tuple(listed(measures)) if measures else ()
    made = tables(*found, keys)
    if form == "json":
        say_json([table.as_json() for table in made])
        return
    for table in made:
        if form == "latex":
            click.echo(table.latex())
        else:
            _text(table)


def _text(table: Any) -> None:
    from grader.cli._say import printable
    from grader.cli._say import table as drawn

    drawn(f"{table.title}, {table.n} instances", table.columns, table.cells)
    for sentence in table.sentences:
        click.echo(printable(sentence))
    click.echo("")


def _stored(db: str, slug: str, runs: tuple[str, ...]) -> tuple[Any, Any, Any]:
    from grader import store
    from grader.paired import views

    with store.reading(store.existing(db)) as connection:
        return views(connection, slug, runs)


def _files(folder: Path, runs: tuple[str, ...]) -> tuple[Any, Any, Any]:
    from grader.errors import Mistake
    from grader.grade import viewed
    from grader.model import Rejected
    from grader.tasks import contents, load

    task, _, gold = load(folder)
    found = {}
    for run in runs:
        view = viewed(task, gold, contents(Path(run)))
        if isinstance(view, Rejected):
            first = view.problems[0].message
            raise Mistake(f"{run} is refused: {first}", mend=f"grader check {run} --task {folder}")
        found[short if (short := Path(run).name) not in found else run] = view
    return task, gold, found
