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
    from grader.cli._differences import as_json, say
    from grader.cli._say import progress, say_json
    from grader.model import Standing
    from grader.revise import Act, drop

    standing = Standing("dropped", why, who)
    with progress("scoring again", None) as step, store.unit(store.existing(db)) as connection:
        act = Act(at, secrets.token_bytes(32), step)
        gold, differences = drop(connection, slug, ids, standing, act)
    late = any(d.post_hoc for d in gold.drops if d.id in ids)
    if form == "json":
        say_json(
            {
                "task": slug,
                "gold": {"version": gold.version, "commitment": gold.commitment},
                "scored": gold.scored,
                "post_hoc": late,
                "runs": as_json(differences),
            }
        )
        return
    scored = f"{gold.scored} scored of {gold.n}{', dropped post hoc' if late else ''}"
    click.echo(f"{slug}: gold v{gold.version}, {scored}; publish again to show it")
    say(differences, form)
