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

    Beside it stands how many bits of the labels a team could learn from the numbers it is shown
    while the phase takes runs: runs × the sum of log2 of the values each can have. Above 1% of
    what the labels have it is warned of.

    \b
        grader phase list digits
    """
    from grader import store
    from grader.board import phased, reveals
    from grader.cli._say import mapping, say_json
    from grader.instants import said
    from grader.report import terms

    with store.reading(store.existing(db)) as connection:
        now = store.registered(connection, task)
        results = store.snapshot(connection, at, [task]).tasks[0]
    phases = now.task.phases
    told = {part.phase.name: reveals(part) for part in phased(results) if part.phase}
    secret = not results.gold.public(at)
    if form == "json":
        say_json([_answer(p, at, now.extensions) | _told(told[p.name]) for p in phases])
        return
    if not phases:
        _none(task, reveals(results), secret=secret)
    for phase in phases:
        state = "to come" if at < phase.opens else "open" if at < phase.closes else "closed"
        mapping(
            {
                "phase": f"{phase.name} ({state})",
                "opens": said(phase.opens),
                "closes": said(phase.closes),
                **dict(_extended(phase, now.extensions)),
                **terms(phase),
                "reveals": _revealed(told[phase.name], secret=secret),
            }
        )
        if secret and told[phase.name].too_much:
            click.echo(_LESS)


_LESS = (
    "warning: that is more than 1% of what the labels are. Less is told with fewer runs, fewer\n"
    "measures, phase.digits, phase.subsets = false, or scores after the close: "
    'phase.visible = "none"'
)
_NO_LIMIT = (
    "warning: whoever sends enough runs learns the labels. A [[phase]] with runs = N limits\n"
    "them; the task.toml that grader init writes has its other keys"
)


def _none(task: str, found: Any, *, secret: bool) -> None:
    from grader.cli._say import mapping

    click.echo(f"{task} has no phases: runs are taken at any time")
    mapping({"reveals": _revealed(found, secret=secret)})
    if secret and found.too_much:
        click.echo(_NO_LIMIT)


def _revealed(found: Any, *, secret: bool) -> str:
    """How many bits of the labels a team could find out, in words."""
    if not secret:
        return "nothing more: the labels are public"
    if found.why:
        return str(found.why)
    if not found.numbers:
        return "nothing while it takes runs"
    of = f"of the labels' {found.labels:,.0f} bits"
    if found.bits is None:
        return f"all {of} in time: {found.numbers} numbers of each of any number of runs"
    runs = f"{found.runs} run{'' if found.runs == 1 else 's'} with {found.numbers} numbers each"
    if found.bits >= found.labels:
        return f"up to all {of} to a team: {runs}"
    return f"at most {found.bits:,.1f} {of} to a team: {runs}"


def _told(found: Any) -> dict[str, object]:
    return {
        "reveals": {
            "runs": found.runs,
            "numbers": found.numbers,
            "bits": found.bits,
            "labels": found.labels,
            "share": found.share,
            "too_much": found.too_much,
            "why": found.why or None,
        }
    }


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
