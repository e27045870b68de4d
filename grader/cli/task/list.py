"""grader task list: the registered tasks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("list")
@database
@clock
@output
def command(db: str, at: datetime, form: str) -> None:
    """List the registered tasks.

    \b
        grader task list
    """
    from grader import store
    from grader.cli._say import say_json

    with store.reading(store.existing(db)) as connection:
        tasks = store.snapshot(connection, at).tasks
    if form == "json":
        say_json([_answer(results) for results in tasks])
    elif tasks:
        _text(tasks)
    else:
        click.echo(
            "no task yet: grader init makes one to start from, grader task add registers it"
        )


def _answer(results: Any) -> dict[str, object]:
    return {
        "task": results.task.slug,
        "title": results.task.title,
        "primary": results.task.primary,
        "gold_version": results.gold.version,
        "scored": results.gold.scored,
        "runs": len(results.entries),
    }


def _text(tasks: Sequence[Any]) -> None:
    from grader.cli._say import table

    rows = [list(_answer(results).values()) for results in tasks]
    for row in rows:
        row[3] = f"v{row[3]}"
    table("", ["task", "title", "primary", "gold", "scored", "runs"], rows)
