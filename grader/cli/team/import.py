"""grader team import: teams from a file."""
# ruff: noqa: N999, the command has that name

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, clock, database, output


@click.command("import")
@click.argument("csv", type=FILE)
@database
@clock
@output
def command(csv: Path, db: str, at: datetime, form: str) -> None:
    """Add the teams of CSV, and bring those up to date that are there.

    The columns are id, name, affiliation, contact, tracks and consent; only id is needed. A team
    is known by its id, which is one of its names, or by its name. tracks names tasks by their
    address, or as a campaign calls a track, separated by commas or semicolons; consent (to
    archive its runs) is yes, no or blank. Others are ignored.

    Tokens of new teams are printed, the only time they are shown. A corrected file may be
    imported again: it changes what differs, adds no team twice, and removes none.

    \b
        grader team import teams.csv
    """
    import secrets

    from grader import store
    from grader.cli._say import say_json
    from grader.registration import Import, import_teams
    from grader.tasks import contents

    given = Import(str(csv), contents(csv), at, lambda: secrets.token_urlsafe(24))
    with store.unit(store.opened(db)) as connection:
        done = import_teams(connection, given)
    if form == "text":
        _text(done)
        return
    say_json(
        {
            "added": [{"team": name, "token": token} for name, token in done.added.items()],
            "changed": {name: list(parts) for name, parts in done.changed.items()},
            "unchanged": list(done.unchanged),
            "kept_names": dict(done.kept),
            "not_in_the_file": list(done.absent),
            "columns_not_read": list(done.unread),
        }
    )


def _text(done: Any) -> None:
    from grader.cli._say import printable, table
    from grader.plural import counted

    notes = [f"{name}: {', '.join(parts)} changed" for name, parts in done.changed.items()]
    notes += [f"{name} was {old!r} before, and keeps its name" for name, old in done.kept]
    if done.unread:
        notes.append(f"columns that are not read: {', '.join(done.unread)}")
    if done.absent:
        notes.append(f"not in the file, and as they were: {', '.join(done.absent)}")
    added = counted(len(done.added), "team")
    click.echo(f"{added} added, {len(done.changed)} changed, {len(done.unchanged)} as before")
    for note in notes:
        click.echo(f"note: {printable(note)}")
    if done.added:
        table("", ["team", "token"], list(done.added.items()))
