"""grader run show: everything about a run."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("show")
@click.argument("task")
@click.argument("run")
@database
@clock
@output
def command(task: str, run: str, db: str, at: datetime, form: str) -> None:
    """Show RUN of TASK: what was sent and when, its scores, whether it is ranked and why.

    \b
        grader run show digits trees-1
    """
    from grader import store
    from grader.board import rank
    from grader.cli._say import analysis, notices, say_json, scores

    with store.reading(store.existing(db)) as connection:
        store.flags(connection, task, run)  # a Mistake if there is no such run
        results = store.snapshot(connection, at, [task]).tasks[0]
    row = next(r for r in rank(results).rows if r.entry.slug == run)
    if form != "json":
        _text(row)
        return
    graded = row.entry.graded
    more = {
        "notices": notices(graded.notices) if graded else [],
        "scores": scores(graded, row.entry.settings) if graded else None,
        "analysis": analysis(graded, results.task.ranking.digits) if graded else None,
    }
    say_json(_said(row) | more)


def _said(row: Any) -> dict[str, object]:
    entry = row.entry
    return {
        "run": entry.slug,
        "team": entry.team,
        "name": entry.name,
        "status": "held" if entry.held else "accepted",
        "rank": row.rank,
        "why": row.why or None,
        "received": entry.received.isoformat(),
        "file": entry.filename,
        "size": entry.size,
        "sha256": entry.sha256,
        "flags": dict(entry.flags),
    }


def _text(row: Any) -> None:
    from grader.cli._say import mapping, spelled

    entry, said = row.entry, _said(row)
    said["received"] = f"{entry.received:%Y-%m-%d %H:%M:%S} UTC"
    said["flags"] = ", ".join(
        f"{flag} ({why})" if why else flag for flag, why in entry.flags.items()
    )
    for s in entry.graded.scores if entry.graded else ():
        if s.subset == "all":
            said[s.measure] = spelled(s, 6)
    mapping({k: v for k, v in said.items() if v not in (None, "")})
