"""grader publish: write the site."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, clock, database, output


@click.command("publish")
@click.argument("folder", type=FOLDER)
@database
@clock
@output
def command(folder: Path, db: str, at: datetime, form: str) -> None:
    """Write the leaderboard as files into FOLDER; it opens from disk and from any web server.

    Files of an earlier publish that are gone are removed, other files are left alone. If
    anything fails, the old site stays whole. The folder is for pages alone: one that holds gold,
    a task.toml or a database is refused.

    --at decides which scores may be seen by then; the runs, also such as came in after it, and
    the gold are those that the database has now.

    \b
        grader publish site
    """
    from grader.cli._say import say_json
    from grader.site import publish
    from grader.store import existing

    engine = existing(db)
    # The pages are made when publish asks for them, while it alone has the folder: so an older
    # snapshot never overwrites a newer one.
    done = publish(_pages(engine, folder, at), folder)
    if form == "json":
        counts = {"written": done.written, "unchanged": done.unchanged, "removed": done.removed}
        say_json({"site": str(folder / "index.html"), **counts})
        return
    click.echo(
        f"{folder / 'index.html'}: {done.written} files written, {done.unchanged} unchanged, "
        f"{done.removed} removed"
    )


def _pages(engine: Any, folder: Path, at: datetime) -> Iterator[tuple[str, bytes]]:
    from grader import store
    from grader.cli._say import progress
    from grader.errors import Mistake
    from grader.paired import public
    from grader.site import render, tasks_shown

    with store.reading(engine) as connection:
        snapshot = public(connection, at)
    # A task is never unregistered: one that would vanish belongs to another database.
    if lost := tasks_shown(folder) - {r.task.slug for r in snapshot.tasks}:
        raise Mistake(
            f"{folder} shows tasks that this database does not have: {', '.join(sorted(lost))}",
            "nothing was changed: is --db or GRADER_DB the right one?",
            mend="publish to another folder, or delete this one first",
        )
    with progress("rendering", None) as step:
        for page in render(snapshot):
            yield page
            step(page)
