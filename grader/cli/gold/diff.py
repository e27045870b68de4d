"""grader gold diff: how runs differ between two gold versions."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("diff")
@click.argument("slug")
@click.argument("old", type=click.IntRange(min=1), required=False, metavar="[FROM")
@click.argument("new", type=click.IntRange(min=1), required=False, metavar="TO]")
@database
@clock
@output
def command(slug: str, old: int | None, new: int | None, db: str, at: datetime, form: str) -> None:
    """Show the scores and ranks of every run under two gold versions of a task, board by board.

    Without FROM the last two versions, without TO the newest. Both are read as they are stored:
    nothing is scored again. Ranks are among the runs that were scored under both, with the teams
    and the marks that they have now.

    \b
        grader gold diff digits 1 3
    """
    from grader import store
    from grader.board import common, differences
    from grader.cli._differences import as_json, show
    from grader.cli._say import printable, say_json
    from grader.plural import counted

    with store.reading(store.existing(db)) as connection:
        found = store.gold(connection, slug)[0].version
        new = new or found
        old = old or max(new - 1, 1)
        before, after = (
            store.snapshot(connection, at, [slug], version).tasks[0] for version in (old, new)
        )
    was, now, apart = common(before, after)
    each = differences(was, now)
    if form == "json":
        versions = {"from": old, "to": new}
        say_json({"task": slug, **versions, "runs": as_json(each), "apart": list(apart)})
        return
    changed = [d for d in each if d.changed or d.whole.changed]
    said = f"{counted(len(each), 'run')} scored under both, {len(changed)} changed"
    click.echo(f"{slug}: gold v{old} and v{new}: {said}")
    show(changed)
    if apart:
        click.echo(printable(f"not scored under both versions: {', '.join(apart)}"))
