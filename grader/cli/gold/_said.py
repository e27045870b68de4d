"""What commands answer that make a new gold version."""

from collections.abc import Callable
from typing import Any

import click

from grader.cli._options import clock, database, output, reason


def deciding(function: Callable[..., Any]) -> Callable[..., Any]:
    """--why, --who, and what every command has that changes a database."""
    who = click.option("--who", default="organiser", show_default=True, help="By whose word.")
    for option in (output, clock, database, who, reason):
        function = option(function)
    return function


def made(db: str, at: Any, change: Callable[..., Any]) -> Any:
    """The new gold version that a change makes, in one transaction: all of it or nothing."""
    import secrets

    from grader import store
    from grader.cli._say import progress
    from grader.rescore import Act

    with progress("scoring again", None) as step, store.unit(store.existing(db)) as connection:
        return change(connection, Act(at, secrets.token_bytes(32), step))


def say(slug: str, done: Any, what: str, form: str) -> None:
    """Print the new version, what it did, and how the runs differ."""
    from grader.cli._differences import as_json
    from grader.cli._differences import say as say_differences
    from grader.cli._say import printable, say_json

    gold = done.gold
    if form == "json":
        say_json(
            {
                "task": slug,
                "gold": {"version": gold.version, "commitment": gold.commitment},
                "scored": gold.scored,
                "changed": len(done.changed),
                "post_hoc": done.post_hoc,
                "runs": as_json(done.differences),
                "apart": list(done.apart),
            }
        )
        return
    late = f", {what} post hoc" if done.post_hoc else ""
    scored = f"{gold.scored} scored of {gold.n}{late}"
    click.echo(f"{slug}: gold v{gold.version}, {scored}; publish again to show it")
    say_differences(done.differences, form)
    if done.apart:
        click.echo(printable(f"not scored under both versions: {', '.join(done.apart)}"))
