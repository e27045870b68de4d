"""grader phase list: the phases of a task."""

from datetime import datetime

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
        say_json(
            [
                {
                    "phase": p.name,
                    "opens": p.opens.isoformat(),
                    "closes": p.closes.isoformat(),
                    "open": p.opens <= at < p.closes,
                    "split": p.split,
                    "runs": p.runs,
                    "per_day": p.per_day,
                    "day": p.day,
                    "refused": p.refused,
                    "size": p.size,
                    "visible": p.visible,
                    "reveal": p.reveal.isoformat() if p.reveal else None,
                    "digits": p.digits,
                    "subsets": p.subsets,
                    "late": p.late,
                    "grace": p.grace,
                }
                for p in phases
            ]
        )
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
