"""A board in the terminal."""

from collections.abc import Sequence

import click

from grader.board import score
from grader.cli._say import printable, table, value
from grader.model import Results, Row


def say(results: Results, rows: Sequence[Row], keys: Sequence[str], *, received: bool) -> None:
    """Print the rows with some measures, and below them why the unranked ones are not ranked."""
    digits = results.task.ranking.digits
    when = ["received (UTC)"] if received else []
    lines = [
        [
            row.rank or "–",
            row.entry.slug,
            row.entry.team,
            row.entry.name,
            *([f"{row.entry.received:%Y-%m-%d %H:%M:%S}"] if received else []),
            *(value(score(row.entry, key), digits) for key in keys),
        ]
        for row in rows
    ]
    if not lines:
        click.echo("no run yet")
        return
    table("", ["rank", "run", "team", "name", *when, *keys], lines)
    for row in rows:
        if row.rank is None:
            click.echo(printable(f"{row.entry.slug} is not ranked: {row.why}"))
