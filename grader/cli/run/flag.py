"""grader run flag: what a run is to its team."""

from typing import Any

import click

from grader.cli._options import clock, database, reason


@click.command("flag")
@click.argument("task")
@click.argument("run")
@click.argument("kind", type=click.Choice(["primary", "contrastive", "baseline"]))
@click.option("--remove", is_flag=True, help="Take the flag off.")
@reason
@database
@clock
def command(task: str, run: str, kind: Any, *, remove: bool, **given: Any) -> None:
    """Mark RUN of TASK as primary, contrastive or baseline.

    A team has one primary run in a phase: the flag moves. A baseline is shown and not ranked.

    \b
        grader run flag digits trees-2 primary --why "their mail of 3 March"
    """
    from grader import marking, store

    why, at = given["why"], given["at"]
    with store.unit(store.existing(given["db"])) as connection:
        if remove:
            marking.unmark(connection, task, run, kind, why, at)
            click.echo(f"{run} is no longer {kind}")
            return
        before = marking.mark(connection, task, run, kind, why, at)
    instead = f" instead of {', '.join(before)}" if before else ""
    click.echo(f"{run} is {kind}{instead}; publish again to show it")
