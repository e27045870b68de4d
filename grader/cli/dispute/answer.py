"""grader dispute answer: say what came of an objection."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output
from grader.cli.dispute._said import worded


@click.command("answer")
@click.argument("task")
@click.argument("number", type=int)
@click.argument("text", callback=worded)
@database
@clock
@output
def command(task: str, number: int, text: str, db: str, at: datetime, form: str) -> None:
    """Keep TEXT as the answer to a dispute of TASK, in place of an earlier one.

    What follows from it is done by other commands: `gold replace`, `gold drop`, `run amend`.

    \b
        grader dispute answer digits 1 "yes: the label is 7 from gold v2 on"
    """
    from grader import marking, store
    from grader.cli._say import say_json

    with store.unit(store.existing(db)) as connection:
        marking.answer(connection, task, number, text, at)
    if form == "json":
        say_json({"task": task, "number": number})
        return
    click.echo(f"dispute {number} is answered; publish again to show it")
