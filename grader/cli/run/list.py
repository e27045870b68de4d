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
    """List the runs of TASK, ranked ones first.

    \b
        grader run list digits
    """
    from grader import store
    from grader.board import rank
    from grader.cli._board import say
    from grader.cli._say import say_json

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [task]).tasks[0]
    rows = rank(results).rows
    key = results.task.primary
    if form == "json":
        say_json(
            [
                {
                    "run": r.entry.slug,
                    "team": r.entry.team,
                    "name": r.entry.name,
                    "received": r.entry.received.isoformat(),
                    "sha256": r.entry.sha256,
                    "status": "held" if r.entry.held else "accepted",
                    "flags": dict(r.entry.flags),
                    "rank": r.rank,
                    "why": r.why or None,
                }
                for r in rows
            ]
        )
        return
    say(results, rows, [key], received=True)
