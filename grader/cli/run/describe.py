"""grader run describe: what a team says of a run."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import about, clock, database


@click.command("describe")
@click.argument("task")
@click.argument("run")
@about
@database
@clock
def command(task: str, run: str, db: str, at: datetime, **given: Any) -> None:
    """Keep a description, links and declared resources of RUN, in place of earlier ones.

    \b
        grader run describe digits trees-1 --text "100 trees" --resource "MNIST 1998"
    """
    from grader import store
    from grader.cli._options import told

    with store.unit(store.existing(db)) as connection:
        store.describe(connection, task, run, told(given))
        store.log(connection, task, f"run describe: {run}", "", at)
    click.echo(f"{run} is described; publish again to show it")
