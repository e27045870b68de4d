"""grader task show: a task, its board and its log."""

from collections.abc import Sequence
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
    """Show a task: its settings, its gold without answers, its board, disputes and log.

    \b
        grader task show digits
    """
    from grader import store
    from grader.board import rank
    from grader.cli._log import events, say
    from grader.cli._say import say_json

    with store.reading(store.existing(db)) as connection:
        results = store.snapshot(connection, at, [slug]).tasks[0]
        log = store.history(connection, slug)
        frozen = store.release_names(connection, slug)
    if form == "json":
        told = {"frozen": list(frozen), "log": events(log)}
        say_json(_answer(results, rank(results)) | told)
        return
    _text(results, rank(results), frozen)
    say(log)


def _answer(results: Any, board: Any) -> dict[str, object]:
    from dataclasses import asdict

    from grader.cli.dispute._said import as_json

    gold, task = results.gold, asdict(results.task)
    del task["waived"]  # it is of single runs
    return {
        "task": task | {"phases": [_instants(p) for p in results.task.phases]},
        "gold": {
            "version": gold.version,
            "commitment": gold.commitment,
            "n": gold.n,
            "scored": gold.scored,
            "subsets": {name: dict(values) for name, values in gold.dimensions},
        },
        "board": [
            {"rank": r.rank, "run": r.entry.slug, "team": r.entry.team, "why": r.why}
            for r in board.rows
        ],
        "disputes": [as_json(one) for one in results.disputes],
    }


def _instants(phase: Any) -> dict[str, object]:
    """A phase with its instants as texts, since JSON has no others."""
    from dataclasses import asdict

    told = asdict(phase)
    return {key: v.isoformat() if isinstance(v, datetime) else v for key, v in told.items()}


def _text(results: Any, board: Any, frozen: Sequence[str]) -> None:
    from grader.cli._board import say
    from grader.cli._say import mapping

    task, gold = results.task, results.gold
    said = {key: getattr(task, key) for key in ("title", "primary", "answers", "confidence")}
    mapping(
        {
            "task": task.slug,
            **said,
            "missing": task.missing,
            "gold": f"v{gold.version}, {gold.scored} scored of {gold.n}",
            **{name: ", ".join(f"{v} ({n})" for v, n in vs) for name, vs in gold.dimensions},
            "rule": board.rule,
            **({"frozen": ", ".join(frozen)} if frozen else {}),
            **_disputes(results),
        }
    )
    say(results, board.rows, task.keys[:5], received=False)


def _disputes(results: Any) -> dict[str, str]:
    """How many disputes there are, and which of them are open; nothing if there is none."""
    from grader.marking import about

    if not results.disputes:
        return {}
    waiting = [f"no. {one.number} on {about(one)}" for one in results.disputes if not one.answered]
    many = len(results.disputes)
    return {"disputes": f"{many}, {len(waiting)} open" + "".join(f"; {one}" for one in waiting)}
