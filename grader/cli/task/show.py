"""grader task show: a task and its board."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("show")
@click.argument("slug")
@database
@clock
@output
def command(slug: str, db: str, at: datetime, form: str) -> None:
    """Show a task: its settings, its gold without answers, and its board.

    \b
        grader task show digits
    """
    from dataclasses import asdict

    from grader import store
    from grader.board import rank
    from grader.cli._board import say
    from grader.cli._say import mapping, say_json

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [slug]).tasks[0]
    task, gold, board = results.task, results.gold, rank(results)
    rows = board.rows
    if form == "json":
        say_json(
            {
                "task": asdict(task),
                "gold": {"version": gold.version, "commitment": gold.commitment, "n": gold.n}
                | {"scored": gold.scored, "subsets": {k: dict(v) for k, v in gold.dimensions}},
                "board": [
                    {"rank": r.rank, "run": r.entry.slug, "team": r.entry.team, "why": r.why}
                    for r in rows
                ],
            }
        )
        return
    mapping(
        {
            "task": task.slug,
            "title": task.title,
            "primary": task.primary,
            "answers": task.answers,
            "confidence": task.confidence,
            "missing": task.missing,
            "gold": f"v{gold.version}, {gold.scored} scored of {gold.n}",
            **{name: ", ".join(f"{v} ({n})" for v, n in vs) for name, vs in gold.dimensions},
            "rule": board.rule,
        }
    )
    say(results, rows, task.keys[:5], received=False)
