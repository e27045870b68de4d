"""grader phase extend: a phase closes later, for one team or for all."""

from datetime import datetime
from typing import Any

import click

from grader.cli import _closes
from grader.cli._options import Instant, clock, database, output, reason


@click.command("extend")
@click.argument("task")
@click.argument("phase")
@click.option(
    "--until",
    type=Instant(end=True),
    required=True,
    metavar="INSTANT",
    help="The first instant that is too late, or a day with AoE, as '2026-11-29 AoE'.",
)
@click.option("--team", metavar="NAME", help="For this team alone; without it, for all teams.")
@reason
@database
@clock
@output
def command(
    task: str, phase: str, until: datetime, team: str | None, form: str, **given: Any
) -> None:
    """Let PHASE of TASK close later, for one team or for all; print the notice to mail.

    Late runs that are in time then are late no longer, as far as their team has a slot. A close
    is never moved before the one in task.toml; up to it, an extension may be taken back, and runs
    that came in by it stay in time. A run that came in by an extension for its team alone is
    marked so. Once labels are known, by results handed to teams or a released gold, no phase that
    is scored on them is extended.

    \b
        grader phase extend digits formal --until "2026-12-06 AoE" --why "the server was down"
    """
    from grader import marking, store

    decision = marking.Decision(given["why"], given["at"])
    with store.unit(store.existing(given["db"])) as connection:
        done = marking.extend(connection, task, marking.Close(phase, until, team), decision)
    _say(task, done, form)


def _say(task: str, done: Any, form: str) -> None:
    from grader.cli._say import printable, say_json
    from grader.instants import said
    from grader.marking import notice

    found, runs = done.extension, done.runs
    if form == "json":
        say_json(
            {
                "task": task,
                "phase": found.phase,
                "team": found.team,
                "before": done.until.isoformat(),
                "closes": found.closes.isoformat(),
                **_closes.as_json(runs.timely, runs.crowded, done.overtaken),
                "notice": "\n".join(notice(done)),
            }
        )
        return
    closes = f"phase {found.phase} closes for {done.whom} at {said(found.closes)}"
    click.echo(printable(f"{task}: {closes}; publish again to show it"))
    _closes.say(runs.timely, runs.crowded, done.overtaken)
    click.echo("\nTo mail:\n")
    for line in notice(done):
        click.echo(printable(line))
