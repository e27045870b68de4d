"""A task's log in the terminal and as JSON."""

from collections.abc import Sequence

import click

from grader.cli._say import table
from grader.model import Event

LAST = 10  # lines that a terminal shows


def events(log: Sequence[Event]) -> list[dict[str, object]]:
    """What was done, the oldest first, as JSON has it."""
    return [{"at": e.at.isoformat(), "what": e.what, "why": e.why, "who": e.who} for e in log]


def say(log: Sequence[Event]) -> None:
    """Print the last lines of a log, and how many are older; nothing of an empty one."""
    if not log:
        return
    if len(log) > LAST:
        click.echo(f"{len(log) - LAST} older lines of the log: --format json")
    rows = [[f"{e.at:%Y-%m-%d %H:%M:%S} UTC", e.what, e.why, e.who] for e in log[-LAST:]]
    table("", ["logged", "what", "why", "who"], rows)
