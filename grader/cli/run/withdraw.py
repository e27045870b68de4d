"""grader run withdraw: take a run off the board."""

from datetime import datetime

import click

from grader.cli._options import clock, database, reason


@click.command("withdraw")
@click.argument("task")
@click.argument("run")
@reason
@database
@clock
def command(task: str, run: str, why: str, db: str, at: datetime) -> None:
    """Take RUN off the board of TASK. Its bytes and its page's address stay.

    \b
        grader run withdraw digits trees-1 --why "wrong file"
    """
    from grader import store
    from grader.errors import Mistake

    with store.unit(store.existing(db)) as connection:
        before = store.flags(connection, task, run).get("withdrawn")
        if before is not None:
            raise Mistake(f"{run} is withdrawn already: {before}")
        store.flag(connection, task, run, "withdrawn", why, at)
        store.log(connection, task, f"run withdraw: {run}", why, at)
    click.echo(f"{run} is withdrawn; publish again to take it off the site")
