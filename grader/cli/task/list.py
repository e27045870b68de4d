"""grader task list: the registered tasks."""

from datetime import datetime

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
    from grader.cli._say import say_json, table

    with store.reading(store.existing(db)) as connection:
        tasks = store.snapshot(connection, at).tasks
    if form == "json":
        say_json(
            [
                {
                    "task": r.task.slug,
                    "title": r.task.title,
                    "primary": r.task.primary,
                    "gold_version": r.gold.version,
                    "scored": r.gold.scored,
                    "runs": len(r.entries),
                }
                for r in tasks
            ]
        )
        return
    if not tasks:
        click.echo(
            "no task yet: grader init makes one to start from, grader task add registers it"
        )
        return
    columns = ["task", "title", "primary", "gold", "scored", "runs"]
    rows = [
        [
            r.task.slug,
            r.task.title,
            r.task.primary,
            f"v{r.gold.version}",
            r.gold.scored,
            len(r.entries),
        ]
        for r in tasks
    ]
    table("", columns, rows)
