"""grader judge list: who judged a task."""

from typing import Any

import click

from grader.cli._options import database, output


@click.command("list")
@click.argument("slug")
@database
@output
def command(slug: str, db: str, form: str) -> None:
    """List who judged SLUG: how many units, how often minds were changed, and when.

    \b
        grader judge list quiz
    """
    from grader import store
    from grader.cli._say import say_json, table
    from grader.judging.stored import judged

    with store.reading(store.existing(db)) as connection:
        judged(connection, slug)
        judges = store.judges(connection, slug)
        every = store.every_judgement(connection, slug)
    rows = []
    for judge in judges:
        mine = [one for one in every if one.judge == judge.name]
        units = len({one.unit for one in mine})
        numbers = sorted({name for one in mine for name in one.columns})
        rows.append(
            {
                "judge": judge.name,
                "kind": judge.kind,
                "prompt": judge.prompt or None,
                "units": units,
                "revisions": _revisions(mine),
                "columns": numbers,
                "first": mine[0].at.isoformat() if mine else None,
                "last": mine[-1].at.isoformat() if mine else None,
            }
        )
    if form == "json":
        say_json(rows)
        return
    if not rows:
        click.echo(f"nobody has judged {slug} yet: grader judge pool {slug} --out DIR")
        return
    columns = ("judge", "kind", "units", "revisions", "first", "last", "prompt")
    table("", columns, [[row[c] or ("" if c == "prompt" else 0) for c in columns] for row in rows])


def _revisions(mine: list[Any]) -> int:
    """How often a judge took back what was said: a number that is added takes nothing back."""
    last: dict[Any, Any] = {}
    many = 0
    for one in mine:
        many += one.unit in last and one.contradicts(last[one.unit])
        last[one.unit] = one
    return many
