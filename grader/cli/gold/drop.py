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
    from grader.rescore import rescore
    from grader.tasks.gold import dropped

    with store.unit(store.opened(db)) as connection:
        store.config(connection, slug, lock=True)
        gold, _ = store.gold(connection, slug)
        seen = any(True for _ in store.uploads(connection, slug))
        standing = Standing("dropped", why, who, at, post_hoc=seen)
        after = dropped(gold, ids, standing)
        summary = store.add_gold(connection, slug, after, why, secrets.token_bytes(32), at)
        store.log(connection, slug, f"gold drop: {', '.join(ids)}", why, at, who)
        differences = rescore(connection, slug, at)
    click.echo(
        f"{slug}: gold v{summary.version}, {summary.scored} scored of {summary.n}"
        f"{', dropped post hoc' if seen else ''}",
        err=form == "json",
    )
    say(differences, form)
