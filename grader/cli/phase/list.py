"""grader phase list: the phases of a task."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("list")
@click.argument("task")
@database
@clock
@output
def command(task: str, db: str, at: datetime, form: str) -> None:
    """List the phases of TASK: when runs are taken, how many, and who sees scores.

    \b
        grader phase list digits
    """
    from grader import store
    from grader.cli._say import mapping, say_json
    from grader.instants import said
    from grader.report import terms

    with store.reading(store.existing(db)) as connection:
        phases = store.registered(connection, task).task.phases
    if form == "json":
        say_json([_answer(phase, at) for phase in phases])
        return
    if not phases:
        click.echo(f"{task} has no phases: runs are taken at any time")
    for phase in phases:
        state = "open" if phase.opens <= at < phase.closes else "closed"
        state = "to come" if at < phase.opens else state
        mapping(
            {
                "phase": f"{phase.name} ({state})",
                "opens": said(phase.opens),
                "closes": said(phase.closes),
                **terms(phase),
            }
        )


def _answer(phase: Any, at: datetime) -> dict[str, object]:
    same = ("split", "runs", "per_day", "day", "refused", "size", "visible")
    return {
        "phase": phase.name,
        "opens": phase.opens.isoformat(),
        "closes": phase.closes.isoformat(),
        "open": phase.opens <= at < phase.closes,
        **{key: getattr(phase, key) for key in same},
        "reveal": phase.reveal.isoformat() if phase.reveal else None,
        **{key: getattr(phase, key) for key in ("digits", "subsets", "late", "grace")},
    }
