"""grader run withdraw: take a run off the board."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("withdraw")
@click.argument("task")
@click.argument("run")
@reason
@database
@clock
@output
def command(task: str, run: str, why: str, db: str, at: datetime, form: str) -> None:
    """Take RUN off the board of TASK. Its bytes and its page's address stay.

    \b
        grader run withdraw digits trees-1 --why "wrong file"
    """
    from grader import marking, store
    from grader.cli._say import say_json

    with store.unit(store.existing(db)) as connection:
        marking.withdraw(connection, task, run, marking.Decision(why, at))
    if form == "json":
        say_json({"run": run, "withdrawn": True})
        return
    click.echo(f"{run} is withdrawn; publish again to take it off the site")
