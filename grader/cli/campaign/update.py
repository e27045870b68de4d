"""grader campaign update: take over a changed campaign.toml."""

from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FILE, clock, database, output


@click.command("update")
@click.argument("file", type=FILE)
@database
@clock
@output
def command(file: Path, db: str, at: datetime, form: str) -> None:
    """Take over a changed campaign.toml from FILE: all of it but its slug may change.

    The logs of its tasks say what changed of them.

    \b
        grader campaign update campaign.toml
    """
    from grader import store
    from grader.cli._say import printable, say_json
    from grader.cli.campaign._told import answer
    from grader.tasks import contents
    from grader.tasks.document import decoded

    text = decoded(contents(file), str(file))
    with store.unit(store.existing(db)) as connection:
        old, new = store.set_campaign(connection, text, at)
        known = set(store.slugs(connection))
    keys = [k for k in ("title", "description", "tasks") if getattr(old, k) != getattr(new, k)]
    if form == "json":
        say_json(answer(new, known) | {"changed": keys})
        return
    shown = "; publish again to show it" if keys else ""
    click.echo(printable(f"{new.slug}: {', '.join(keys) or 'nothing'} changed{shown}"))
