"""grader dispute add: keep an objection."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output
from grader.cli.dispute._said import worded


@click.command("add")
@click.argument("task")
@click.argument("text", callback=worded)
@click.option("--instance", metavar="ID", help="The instance that it is about.")
@click.option("--run", metavar="RUN", help="The run that it is about.")
@click.option("--team", metavar="NAME", help="Whose objection it is; kept from the public.")
@database
@clock
@output
def command(
    task: str,
    text: str,
    db: str,
    at: datetime,
    form: str,
    **about: str | None,
) -> None:
    """Keep an objection to an instance of TASK, to a run, or to an instance in a run.

    The site says that there is one, and about what; TEXT is read there once the gold is public.

    \b
        grader dispute add digits --instance d0003 --team Forest "it is a 7 and no 1"
    """
    from grader import marking, store
    from grader.cli._say import say_json
    from grader.model import Dispute

    new = Dispute(0, about["instance"], about["run"], about["team"], text, at)
    if new.instance is None and new.run is None:
        raise click.UsageError("give --instance, --run, or both")
    with store.unit(store.existing(db)) as connection:
        number = marking.dispute(connection, task, new)
    if form == "json":
        say_json({"task": task, "number": number})
        return
    click.echo(f"dispute {number} on {marking.about(new)} is kept; publish again to show it")
    click.echo(f"  grader dispute answer {task} {number} '…'")
