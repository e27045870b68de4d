"""grader dispute list: what teams objected to."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output
from grader.cli.dispute._said import as_json


@click.command("list")
@click.argument("task")
@click.option("--open", "open_", is_flag=True, help="Those alone that are not answered.")
@database
@clock
@output
def command(task: str, *, open_: bool, db: str, at: datetime, form: str) -> None:
    """List the disputes of TASK with what was said and answered: for organisers.

    \b
        grader dispute list digits --open
    """
    from grader import store
    from grader.cli._say import say_json, table
    from grader.marking import about

    with store.reading(store.existing(db)) as connection:
        found = store.snapshot(connection, at, [task]).tasks[0].disputes
    found = tuple(one for one in found if not open_ or one.answered is None)
    if form == "json":
        say_json([as_json(one) for one in found])
    elif found:
        rows = [
            [
                one.number,
                about(one),
                one.team or "",
                f"{one.opened:%Y-%m-%d}",
                f"{one.answered:%Y-%m-%d}" if one.answered else "",
                one.said,
                one.answer or "",
            ]
            for one in found
        ]
        table("", ["dispute", "about", "of", "opened", "answered", "said", "answer"], rows)
    else:
        click.echo(f"no {'open ' if open_ else ''}dispute of {task}")
