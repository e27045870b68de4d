"""grader task update: change what may change of a registered task."""

from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FOLDER, clock, database, output


@click.command("update")
@click.argument("folder", type=FOLDER)
@database
@clock
@output
def command(folder: Path, db: str, at: datetime, form: str) -> None:
    """Take over a changed task.toml from FOLDER, and score the runs again where it matters.

    Titles, texts, measures, precision, resampling and ranking may change. What decides whether a
    run is accepted, and the gold, may change only while the task has no run; after that a bad
    instance is dropped by `grader gold drop`.

    \b
        grader task update tasks/digits
    """
    import secrets

    from grader import store
    from grader.cli._say import progress, say_json
    from grader.plural import counted
    from grader.revise import Act, update_task
    from grader.tasks import load

    task, text, gold = load(folder)
    with progress("scoring again", None) as step, store.unit(store.existing(db)) as connection:
        act = Act(at, secrets.token_bytes(32), step)
        done = update_task(connection, task, text, gold, act)
    changed, again = done.change.keys, done.change.rescoring
    version = done.gold.version if done.gold else None
    if form == "json":
        keys = {"changed": list(changed), "rescored": list(again), "gold_version": version}
        say_json({"task": task.slug, **keys, "runs": len(done.differences)})
        return
    gold_too = (*changed, f"the gold (now v{version})") if version else changed
    click.echo(f"{task.slug}: {', '.join(gold_too) or 'nothing'} changed")
    if again:
        click.echo(f"{counted(len(done.differences), 'run')} scored again: {', '.join(again)}")
