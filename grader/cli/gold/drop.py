"""grader gold drop: take instances out of every score."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("drop")
@click.argument("slug")
@click.argument("ids", nargs=-1, required=True)
@reason
@click.option("--who", default="organiser", show_default=True, help="By whose word.")
@database
@clock
@output
def command(
    slug: str, ids: tuple[str, ...], why: str, who: str, db: str, at: datetime, form: str
) -> None:
    """Drop instances from the gold of a task: a new gold version, and every run scored again.

    A dropped id stays known, so no run breaks. Dropping after runs came in is marked post hoc.

    \b
        grader gold drop digits d0003 d0090 --why "unreadable scan"
    """
    import secrets

    from grader import store
    from grader.cli._differences import say
    from grader.model import Standing
    from grader.revise import drop

    standing = Standing("dropped", why, who, at)
    with store.unit(store.existing(db)) as connection:
        done = drop(connection, slug, ids, standing, secrets.token_bytes(32))
    if done.gold is not None:
        late = ", dropped post hoc" if done.differences else ""
        scored = f"{done.gold.scored} scored of {done.gold.n}"
        click.echo(f"{slug}: gold v{done.gold.version}, {scored}{late}", err=form == "json")
    say(done.differences, form)
