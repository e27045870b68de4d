"""grader task freeze: official results that nothing moves any more."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("freeze")
@click.argument("slug")
@click.option("--name", default="", metavar="TEXT", help="By default v1, v2, …")
@reason
@database
@clock
@output
def command(slug: str, name: str, why: str, db: str, at: datetime, form: str) -> None:
    """Freeze the public board of a task as official results under a name.

    Ranks, scores, intervals and signatures stay as they are then, whatever happens to the gold,
    the task or a run. The site shows them on a page of their own, with what happened since.

    \b
        grader task freeze digits --name v1 --why "results of the campaign"
    """
    from grader import store
    from grader.cli._say import printable, say_json
    from grader.freezing import freeze
    from grader.plural import counted

    with store.unit(store.existing(db)) as connection:
        kept, frozen, left = freeze(connection, slug, name, why, at)
    runs, version = len(frozen.runs), frozen.gold.version
    if form == "json":
        said = {"task": slug, "release": kept, "at": at.isoformat(), "gold_version": version}
        say_json({**said, "runs": runs, "boards": len(frozen.boards), "left_out": left})
        return
    of = f"gold v{version}, {counted(runs, 'run')}"
    click.echo(printable(f"{slug}: frozen as {kept} ({of}); publish again to show it"))
    for phase in left:
        click.echo(
            printable(
                f"note: {phase} is not in it: the public does not see its runs by name yet; "
                f"freeze again once it does (grader phase list {slug})"
            )
        )
