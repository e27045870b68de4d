"""grader campaign show: a campaign and its results."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("show")
@click.argument("slug")
@database
@clock
@output
def command(slug: str, db: str, at: datetime, form: str) -> None:
    """Show a campaign: its tasks, and rank and score of each team's official run in each.

    It is shown as organisers see it, also what is hidden from the public still. Of a task with
    phases the one counts that is open, or was the last.

    \b
        grader campaign show r2c2
    """
    from grader import store
    from grader.board import current, phased
    from grader.cli._say import say_json
    from grader.cli.campaign._told import answer, say

    with store.reading(store.existing(db)) as connection:
        campaign = store.campaign(connection, slug)
        known = store.slugs(connection)
        mine = [m.slug for m in campaign.tasks if m.slug in known and not m.dry_run]
        tasks = store.snapshot(connection, at, mine).tasks
        frozen = {task: store.release_names(connection, task) for task in mine}
    parts = [
        next(part for part in phased(results) if part.phase == current(results.task, at))
        for results in tasks
    ]
    if form == "json":
        say_json(answer(campaign, known) | {"results": _answer(parts, frozen)})
        return
    say(campaign, known)
    _text(parts, frozen)


def _standing(parts: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """By team and task, the row of the official run."""
    from grader.board import official, rank

    found: dict[str, dict[str, Any]] = {}
    for part in parts:
        for team, row in official(rank(part)).items():
            found.setdefault(team, {})[part.task.slug] = row
    return dict(sorted(found.items(), key=lambda item: (item[0].casefold(), item[0])))


def _answer(parts: Sequence[Any], frozen: Mapping[str, Sequence[str]]) -> list[dict[str, object]]:
    from grader.board import lead, score

    golds = {part.task.slug: part.gold.version for part in parts}
    primary = {part.task.slug: lead(part).key for part in parts}
    found = []
    for team, rows in _standing(parts).items():
        for task, row in rows.items():
            scored = score(row.entry, primary[task])
            said = {"rank": row.rank, "why": row.why or None, "measure": primary[task]}
            stands = {"gold": golds[task], "frozen": list(frozen[task])}
            value = scored.value if scored else None
            found.append(
                {
                    "team": team,
                    "task": task,
                    "run": row.entry.slug,
                    **said,
                    "value": value,
                    **stands,
                }
            )
    return found


def _text(parts: Sequence[Any], frozen: Mapping[str, Sequence[str]]) -> None:
    from grader.board import lead, printed, score
    from grader.cli._say import printable, table

    rows = []
    for team, standing in _standing(parts).items():
        cells = [team]
        for part in parts:
            row = standing.get(part.task.slug)
            value = row and score(row.entry, lead(part).key)
            shown = printed(value, part.task.ranking.digits) if row else ""
            cells += [str((row.rank or "–") if row else ""), shown]
        rows.append(cells)
    if not rows:
        click.echo("no run yet")
        return
    heads = [
        h for part in parts for h in (f"{part.task.slug} #", f"{part.task.slug} {lead(part).key}")
    ]
    table("", ["team", *heads], rows)
    for part in parts:
        if names := frozen[part.task.slug]:
            said = f"these are under gold v{part.gold.version}; official results are frozen as"
            click.echo(printable(f"{part.task.slug}: {said} {', '.join(names)}"))
