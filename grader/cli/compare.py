"""grader compare: runs against each other, in pairs."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, database, task_keys


@click.command("compare")
@click.argument("runs", nargs=-1, required=True)
@click.option("--task", metavar="DIR|SLUG", help="A folder, or a registered task.")
@click.option("--gold", type=FILE, help="A gold file, when there is no task.")
@task_keys
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for scripts, LaTeX for papers.",
)
@database
def command(
    runs: tuple[str, ...], task: str | None, gold: Path | None, form: str, db: str, **keys: Any
) -> None:
    """Compare RUN with RUN …: differences with simultaneous intervals and adjusted p.

    With a registered task a RUN is its address (grader run list); with a task's folder or a gold
    file, a file. Compared by --measures, else by the primary.

    \b
        grader compare trees-1 trees-2 --task digits
        grader compare a.csv b.csv --task tasks/digits --measures hmr,brier --format latex
        grader compare a.csv b.csv --gold gold.csv
    """
    from grader.cli._say import say_json
    from grader.cli._task import listed
    from grader.errors import Mistake
    from grader.pairwise import tables

    if len(set(runs)) < 2:
        raise Mistake("two different runs are needed to compare")
    if task is None or gold or all(map(os.path.isfile, runs)) or os.sep in task:
        found = _files(task, gold, keys, runs)
    else:
        found = _stored(db, task, keys, runs)
    made = tables(*found, tuple(listed(keys["measures"] or "")))
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


def _stored(
    db: str, slug: str, keys: Mapping[str, str | None], runs: tuple[str, ...]
) -> tuple[Any, Any, Any]:
    from grader import store
    from grader.errors import Mistake
    from grader.paired import views

    for key, text in keys.items():
        if text is not None and key != "measures":
            raise Mistake(f"--{key} is for files: a registered task says it")
    with store.reading(store.existing(db)) as connection:
        return views(connection, slug, runs)


def _files(
    folder: str | None, gold: Path | None, keys: dict[str, str | None], runs: tuple[str, ...]
) -> tuple[Any, Any, Any]:
    from grader.cli._task import of_files
    from grader.errors import Mistake
    from grader.grade import viewed
    from grader.model import Rejected
    from grader.tasks import contents

    task, its_gold = of_files(folder, gold, keys, "compare RUN RUN")
    where = f"--task {folder}" if folder else f"--gold {gold}"
    found = {}
    for run in runs:
        view = viewed(task, its_gold, contents(Path(run)))
        if isinstance(view, Rejected):
            first = view.problems[0].message
            raise Mistake(f"{run} is refused: {first}", mend=f"grader check {run} {where}")
        found[short if (short := Path(run).name) not in found else run] = view
    return task, its_gold, found
