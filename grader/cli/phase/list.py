"""grader phase list: the phases of a task."""

from collections.abc import Iterator
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
    """List the phases of TASK: when runs are taken, how many, who sees scores, what was extended.

    \b
        grader phase list digits
    """
    from grader import store
    from grader.cli._say import mapping, say_json
    from grader.instants import said
    from grader.report import terms

    with store.reading(store.existing(db)) as connection:
        now = store.registered(connection, task)
    phases = now.task.phases
    if form == "json":
        say_json([_answer(phase, at, now.extensions) for phase in phases])
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
                **dict(_extended(phase, now.extensions)),
                **terms(phase),
            }
        )


def _extended(phase: Any, extensions: Any) -> Iterator[tuple[str, str]]:
    """Yield for whom a phase was extended, and from or until when and why."""
    from grader.instants import said

    for one in extensions:
        if one.phase == phase.name and one.team is None:
            yield "extended", f"from {said(one.before)}: {one.why}"
        elif one.phase == phase.name:
            yield f"for {one.team}", f"until {said(one.closes)}: {one.why}"


def _answer(phase: Any, at: datetime, extensions: Any) -> dict[str, object]:
    same = ("split", "runs", "per_day", "day", "refused", "size", "visible")
    return {
        "phase": phase.name,
        "opens": phase.opens.isoformat(),
        "closes": phase.closes.isoformat(),
        "open": phase.opens <= at < phase.closes,
        **{key: getattr(phase, key) for key in same},
        "reveal": phase.reveal.isoformat() if phase.reveal else None,
        **{key: getattr(phase, key) for key in ("digits", "subsets", "names", "late", "grace")},
        "extensions": [
            {
                "team": one.team,
                "before": one.before.isoformat(),
                "closes": one.closes.isoformat(),
                "why": one.why,
            }
            for one in extensions
            if one.phase == phase.name
        ],
    }
