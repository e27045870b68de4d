"""grader team missing: who has not sent anything that counts."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database


@click.command("missing")
@click.argument("task")
@click.argument("phase", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for scripts, CSV for mailing.",
)
@database
@clock
def command(task: str, phase: str | None, db: str, at: datetime, form: str) -> None:
    """List the teams that entered TASK and have no run that counts, with whom to write to.

    Of a task with phases it is PHASE; without it the one that is open, else the last that closed.
    Teams of which nobody knows what they entered count as having entered every task. Where teams
    are ranked by their primary runs, those without one are listed too.

    \b
        grader team missing digits formal --format csv
    """
    from grader import store
    from grader.absence import absent
    from grader.board import current, phased
    from grader.errors import Mistake

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [task]).tasks[0]
        teams, refused = store.teams(connection), store.refused(connection, task)
    now = current(results.task, at)
    name = phase if phase is not None or now is None else now.name
    part = next((r for r in phased(results) if name == (r.phase.name if r.phase else None)), None)
    if part is None:
        raise Mistake(f"there is no phase {name!r} of {task!r}", mend=f"grader phase list {task}")
    _say(task, name, [_answer(one) for one in absent(part, teams, refused)], form)


def _answer(one: Any) -> dict[str, Any]:
    file = one.refused
    return {
        "team": one.team.name,
        "contact": one.team.registration.contact or None,
        "why": one.why,
        "refused": None
        if file is None
        else {"at": file.at.isoformat(), "file": file.filename, "codes": dict(file.codes)},
    }


def _say(task: str, phase: str | None, found: Sequence[dict[str, Any]], form: str) -> None:
    from grader.cli._say import say_json, table
    from grader.spreadsheet import guarded

    if form == "json":
        say_json(found)
        return
    columns = ["team", "contact", "why", "last refused", "problems"]
    rows = [[one["team"], one["contact"] or "", one["why"], *_refused(one)] for one in found]
    if form == "csv":
        held = io.StringIO(newline="")
        cells = [[guarded(cell) for cell in row] for row in rows]
        csv.writer(held, lineterminator="\n").writerows([columns, *cells])
        click.echo(held.getvalue(), nl=False)
    elif rows:
        table("", columns, rows)
    else:
        where = f"phase {phase} of {task}" if phase else task
        click.echo(f"every team that entered {where} has a run that counts")


def _refused(one: dict[str, Any]) -> tuple[str, str]:
    """When the last file of a team was refused, and what was wrong with it."""
    file = one["refused"]
    if file is None:
        return "", ""
    codes = ", ".join(f"{code} {n}" for code, n in file["codes"].items())
    return f"{datetime.fromisoformat(file['at']):%Y-%m-%d %H:%M:%S} UTC", codes
