"""grader publish: write the site."""

from datetime import datetime
from pathlib import Path

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
    anything fails, the old site stays whole.

    \b
        grader publish site
    """
    from grader import store
    from grader.board import visible
    from grader.cli._say import progress, say_json
    from grader.site import publish, render

    with store.reading(store.opened(db)) as connection:
        snapshot = visible(store.snapshot(connection, at), "public")
    runs = sum(len(r.entries) for r in snapshot.tasks)
    with progress("rendering", runs) as step:
        pages = []
        for page in render(snapshot):
            pages.append(page)
            step(page)
    done = publish(iter(pages), folder)
    if form == "json":
        counts = {"written": done.written, "unchanged": done.unchanged, "removed": done.removed}
        say_json({"site": str(folder / "index.html"), **counts})
        return
    click.echo(
        f"{folder / 'index.html'}: {done.written} files written, {done.unchanged} unchanged, "
        f"{done.removed} removed"
    )
