"""grader run restore: put a withdrawn run back."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("restore")
@click.argument("task")
@click.argument("run")
@reason
@database
@clock
@output
def command(task: str, run: str, why: str, db: str, at: datetime, form: str) -> None:
    """Put the withdrawn RUN back on the board of TASK.

    \b
        grader run restore digits trees-1 --why "withdrawn by mistake"
    """
    from grader import marking, store
    from grader.cli._say import say_json

    with store.unit(store.existing(db)) as connection:
        marking.restore(connection, task, run, marking.Decision(why, at))
    if form == "json":
        say_json({"run": run, "withdrawn": False})
        return
    click.echo(f"{run} is restored; publish again to show it")
