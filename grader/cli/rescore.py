"""grader rescore: score stored runs again from their bytes."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("rescore")
@click.argument("task", required=False)
@database
@clock
@output
def command(task: str | None, db: str, at: datetime, form: str) -> None:
    """Score every stored run again from its bytes, of TASK or of all tasks.

    Held runs become accepted. Nothing changes if a stored run breaks a rule.

    \b
        grader rescore digits
    """
    from grader import store
    from grader.cli._differences import say
    from grader.cli._say import progress
    from grader.model import Difference
    from grader.rescore import entries, rescore

    differences: list[Difference] = []
    with store.unit(store.existing(db)) as connection:
        for slug in (task,) if task else store.slugs(connection):
            store.config(connection, slug, lock=True)
            before = entries(connection, slug, at)
            with progress(f"scoring {slug}", len(before)) as step:
                differences += rescore(connection, slug, at, before, step)
    say(differences, form)
