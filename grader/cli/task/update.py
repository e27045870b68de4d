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
    """Take over a changed task.toml from FOLDER, and re-score the runs where it matters.

    Titles, texts, measures, precision, resampling and ranking may change. What decides whether a
    run is accepted, and the gold's columns, may change only while the task has no run; the gold
    itself changes by `grader gold`.

    \b
        grader task update tasks/digits
    """
    from grader import store
    from grader.cli._say import say_json
    from grader.errors import Mistake
    from grader.rescore import rescore
    from grader.tasks import contents, parse, slug_of
    from grader.tasks.update import change

    slug = slug_of(folder)
    text = contents(folder / "task.toml").decode("utf-8-sig", "replace")
    new = parse(text, slug)
    with store.unit(store.opened(db)) as connection:
        found = change(parse(store.config(connection, slug, lock=True), slug), new)
        if found.fixed:
            raise Mistake(
                f"{', '.join(found.fixed)} of {slug!r} may not change any more",
                mend="register a task of another name: grader task add FOLDER",
            )
        store.set_config(connection, slug, text, at)
        if found.keys:
            what = f"task update: {', '.join(found.keys)}"
            store.log(connection, slug, what, "", at)
        differences = rescore(connection, slug, at) if found.rescoring else ()
    if form == "json":
        changed = {"changed": list(found.keys), "rescored": list(found.rescoring)}
        say_json({"task": slug, **changed, "runs": len(differences)})
        return
    click.echo(f"{slug}: {', '.join(found.keys) or 'nothing'} changed")
    if found.rescoring:
        click.echo(
            f"{len(differences)} runs scored again, because of {', '.join(found.rescoring)}"
        )
