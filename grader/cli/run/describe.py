"""grader run describe: what a team says of a run."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import about, clock, database, output


@click.command("describe")
@click.argument("task")
@click.argument("run")
@about
@click.option("--clear", is_flag=True, help="Take off what was said before.")
@database
@clock
@output
def command(
    task: str, run: str, *, clear: bool, db: str, at: datetime, form: str, **given: Any
) -> None:
    """Keep a description, links and declared resources of RUN, in place of all earlier ones.

    They are shown to whoever sees the run. Links begin with http:// or https://.

    \b
        grader run describe digits trees-1 --text "100 trees" --resource "MNIST 1998"
    """
    from grader import marking, store
    from grader.cli._board import described
    from grader.cli._options import told
    from grader.cli._say import say_json

    if clear == any(given.values()):
        raise click.UsageError("give --text, --link or --resource, or else --clear")
    with store.unit(store.existing(db)) as connection:
        marking.describe(connection, task, run, told(given), at)
        entries = store.snapshot(connection, at, [task]).tasks[0].entries
    if form == "json":
        kept = next(entry.about for entry in entries if entry.slug == run)
        say_json({"run": run, "about": described(kept)})
        return
    click.echo(f"{run} is {'no longer ' if clear else ''}described; publish again to show it")
