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
    """List the runs of TASK by phase, ranked ones first, with flags and why others have no rank.

    \b
        grader run list digits
    """
    from grader import store
    from grader.board import phased, rank
    from grader.cli._board import flagged, placed, say
    from grader.cli._say import printable, say_json

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [task]).tasks[0]
    parts = [(part, rank(part).rows) for part in phased(results)]
    if form == "json":
        say_json([placed(row) for _, rows in parts for row in rows])
        return
    filled = [(part, rows) for part, rows in parts if rows] or parts[:1]
    for part, rows in filled:
        say(part, rows, [part.task.primary], received=True)
        for row in rows:
            if row.entry.flags:
                click.echo(printable(f"{row.entry.slug} is {flagged(row)}"))
