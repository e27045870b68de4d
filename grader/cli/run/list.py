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
    from grader.board import rank, score
    from grader.cli._say import say_json, table, value

    with store.reading(store.opened(db)) as connection:
        results = store.snapshot(connection, at, [task]).tasks[0]
    board = rank(results)
    rows = [*board.ranked, *board.unranked]
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
    digits = results.task.ranking.digits
    lines = [
        [
            r.rank or "–",
            r.entry.slug,
            r.entry.team,
            r.entry.name,
            f"{r.entry.received:%Y-%m-%d %H:%M:%S} UTC",
            value(score(r.entry, key), digits),
            r.why,
        ]
        for r in rows
    ]
    table("", ["rank", "run", "team", "name", "received", key, "unranked because"], lines)
