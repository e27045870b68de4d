"""grader task update: change what may change of a registered task."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._closes import as_json, say
from grader.cli._options import FOLDER, clock, database, output


@click.command("update")
@click.argument("folder", type=FOLDER)
@database
@clock
@output
def command(folder: Path, db: str, at: datetime, form: str) -> None:
    """Take over a changed task.toml from FOLDER, and score the runs again where it matters.

    Titles, texts, measures, precision, resampling and ranking may change. What decides whether a
    run is accepted, and the gold, may change only while the task has no run; after that
    `grader gold drop` takes a bad instance out, and `grader gold replace` corrects labels.

    Where a close moves later, late runs that lie before it are in time from then on, as far as
    their team has slots; where it moves earlier, runs that were in time stay so.

    \b
        grader task update tasks/digits
    """
    import secrets

    from grader import store
    from grader.cli._say import progress, say_json
    from grader.rescore import Act
    from grader.revise import update_task
    from grader.tasks import load

    task, text, gold = load(folder)
    with progress("scoring again", None) as step, store.unit(store.existing(db)) as connection:
        act = Act(at, secrets.token_bytes(32), step)
        done = update_task(connection, task, text, gold, act)
    changed, again = done.change.keys, done.change.rescoring
    version = done.gold.version if done.gold else None
    if form == "json":
        keys = {"changed": list(changed), "rescored": list(again), "gold_version": version}
        moved = as_json(done.timely, done.crowded, done.overtaken)
        of = {"task": task.slug, **keys, "runs": len(done.differences)}
        say_json({**of, **moved, "notes": list(done.notes)})
        return
    _text(task.slug, done)


def _text(slug: str, done: Any) -> None:
    from grader.cli._say import printable
    from grader.plural import counted

    gold = (f"the gold (now v{done.gold.version})",) if done.gold else ()
    parts, again = (*done.change.keys, *gold), done.change.rescoring
    shown = "; publish again to show it" if parts else ""
    click.echo(f"{slug}: {', '.join(parts) or 'nothing'} changed{shown}")
    if again:
        click.echo(f"{counted(len(done.differences), 'run')} scored again: {', '.join(again)}")
    say(done.timely, done.crowded, done.overtaken)
    for note in done.notes:
        click.echo(printable(f"note: {note}"))
