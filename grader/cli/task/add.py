"""grader task add: register a task with its gold."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, clock, database, output


@click.command("add")
@click.argument("folder", type=FOLDER)
@database
@clock
@output
def command(folder: Path, db: str, at: datetime, form: str) -> None:
    """Register the task in FOLDER: its task.toml and its gold.

    \b
        grader task add tasks/digits
    """
    import secrets

    from grader import store
    from grader.tasks import load

    task, text, gold = load(folder)
    with store.unit(store.opened(db)) as connection:
        summary = store.add_task(connection, task.slug, text, gold, secrets.token_bytes(32), at)
    say(task, gold, summary, form)


def say(task: Any, gold: Any, summary: Any, form: str) -> None:
    """Print what was registered."""
    from grader.cli._say import mapping, say_json

    answerless = sum(not answers for answers in gold.answers)
    if form == "json":
        say_json(
            {
                "task": task.slug,
                "gold": {"version": summary.version, "commitment": summary.commitment},
                "n": summary.n,
                "scored": summary.scored,
                "without_answer": answerless,
                "subsets": {name: dict(values) for name, values in summary.dimensions},
            }
        )
        return
    said = {"task": task.slug, "instances": f"{summary.scored} scored of {summary.n}"}
    for name, values in summary.dimensions:
        said[name] = ", ".join(f"{value} ({n})" for value, n in values)
    said["commitment"] = summary.commitment
    mapping(said)
    if answerless:
        click.echo(
            f"note: {answerless} instances have no right answer: every answer is wrong there"
        )
    click.echo(
        f"next: grader team add NAME, then grader submit RUN --task {task.slug} --team NAME"
    )
