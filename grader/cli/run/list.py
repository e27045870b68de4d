"""grader run list: the runs of a task."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("list")
@click.argument("task")
@database
@clock
@output
def command(task: str, db: str, at: datetime, form: str) -> None:
    """List the runs of TASK, ranked ones first, with their flags and why others are not ranked.

    \b
        grader run list digits
    """
    from grader import store
    from grader.board import rank
    from grader.cli._board import flagged, placed, say
    from grader.cli._say import printable, say_json

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [task]).tasks[0]
    rows = rank(results).rows
    if form == "json":
        say_json([placed(row) for row in rows])
        return
    say(results, rows, [results.task.primary], received=True)
    for row in rows:
        if row.entry.flags:
            click.echo(printable(f"{row.entry.slug} is {flagged(row)}"))
