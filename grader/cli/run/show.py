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
    """Show RUN of TASK: what was sent and when, its scores, its rank or why none, its log.

    \b
        grader run show digits trees-1
    """
    from grader import store
    from grader.board import phased, rank
    from grader.cli._board import placed
    from grader.cli._log import events, say
    from grader.cli._say import analysis, notices, say_json, scores

    with store.reading(store.existing(db)) as connection:
        store.flags(connection, task, run)  # a Mistake if there is no such run
        results = store.snapshot(connection, at, [task]).tasks[0]
        run = next(iter(_behind(results, run)), run)
        log = store.history(connection, task, run)
    rows = (row for part in phased(results) for row in rank(part).rows)
    row = next(row for row in rows if row.entry.slug == run)
    if form != "json":
        _text(task, row)
        say(log)
        return
    graded = row.entry.graded
    more = {
        "notices": notices(graded.notices) if graded else [],
        "scores": scores(graded, row.entry.settings) if graded else None,
        "analysis": analysis(graded, results.task.ranking.digits) if graded else None,
        "versions": _versions(row.entry),
        "log": events(log),
    }
    say_json(placed(row) | more)


_ELSEWHERE = ("rank", "why", "about", "pseudonym")  # said in words of their own


def _behind(results: Any, address: str) -> list[str]:
    """The run that has an address for a pseudonym, if there is one."""
    known = ((e.slug, e.pseudonym) for e in results.entries)
    return [slug for slug, other in known if other and other.run == address]


def _versions(entry: Any) -> list[dict[str, object]]:
    """The files of a run, the one that was sent first; each with why another took its place."""
    old = [
        {"sha256": a.sha256, "file": a.filename, "until": a.at.isoformat(), "why": a.why}
        for a in entry.amendments
    ]
    now = {"sha256": entry.sha256, "file": entry.filename, "until": None, "why": None}
    return [{"version": k, **one} for k, one in enumerate([*old, now], 1)]


def _text(task: str, row: Any) -> None:
    from grader.cli._board import flagged, placed
    from grader.cli._say import mapping, spelled

    entry, about = row.entry, row.entry.about
    said = {k: v for k, v in placed(row).items() if k not in _ELSEWHERE}
    said["received"] = f"{entry.received:%Y-%m-%d %H:%M:%S} UTC"
    said["flags"] = flagged(row)
    if entry.pseudonym:
        said["pseudonym"] = f"{entry.pseudonym.team}, {entry.pseudonym.run}"
    said["board"] = f"rank {row.rank}" if row.rank else f"not ranked: {row.why}"
    for s in entry.graded.scores if entry.graded else ():
        if s.subset == "all":
            said[s.measure] = spelled(s, 6)
    said |= {"about": about.text, "links": ", ".join(about.links)}
    said["resources"] = "; ".join(about.resources)
    if entry.amendments:
        earlier = f"the first: grader run download {task} {entry.slug} --version 1"
        said["versions"] = f"{len(entry.amendments) + 1}; {earlier}"
    mapping({k: v for k, v in said.items() if v not in (None, "")})
