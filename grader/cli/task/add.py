"""grader task add: register a task with its gold."""

from collections.abc import Sequence
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

    from grader import disclosure, store
    from grader.tasks import contents, load
    from grader.tasks.gold import lines
    from grader.tasks.notes import notes

    task, text, gold = load(folder)
    answered(task, gold, folder)
    said = list(notes(task, gold, lines(contents(folder / task.gold.file))))
    with store.unit(store.opened(db)) as connection:
        summary = store.add_task(connection, task.slug, text, gold, secrets.token_bytes(32), at)
        known = store.disclosures(connection, task.slug)
    said += disclosure.notes(task, known, at)
    say(task, gold, summary, form, said)


def answered(task: Any, gold: Any, where: Path) -> None:
    """Mistake if a gold has no answers, and nobody is to judge any."""
    from grader.errors import Mistake

    if task.answers != "judged" and not any(gold.answers):
        raise Mistake(f"the gold of {where} has no answers: it is for grader check")


def say(task: Any, gold: Any, summary: Any, form: str, odd: Sequence[str]) -> None:
    """Print what was registered, and what is odd about it."""
    from grader.cli._say import mapping, printable, say_json

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
                "notes": list(odd),
            }
        )
        return
    said = {"task": task.slug, "instances": f"{summary.scored} scored of {summary.n}"}
    for name, values in summary.dimensions:
        said[name] = ", ".join(f"{value} ({n})" for value, n in values)
    said["commitment"] = summary.commitment
    mapping(said)
    for note in odd:
        click.echo(printable(f"note: {note}"))
    click.echo(
        f"next: grader team add NAME, then grader submit RUN --task {task.slug} --team NAME"
    )
