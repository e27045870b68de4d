"""grader gold drop: take instances out of every score."""

from datetime import datetime

import click

from grader.cli.gold._said import deciding


@click.command("drop")
@click.argument("slug")
@click.argument("ids", nargs=-1, required=True)
@deciding
def command(
    slug: str, ids: tuple[str, ...], why: str, who: str, db: str, at: datetime, form: str
) -> None:
    """Drop instances from the gold of a task: a new gold version, and every run scored again.

    A dropped id stays known, so no run breaks. It is marked post hoc if anybody but the
    organisers could see scores on it by then.

    \b
        grader gold drop digits d0003 d0090 --why "unreadable scan"
    """
    from grader.cli.gold._said import made, say
    from grader.versioning import Reason, drop

    done = made(db, at, lambda d, act: drop(d, slug, ids, Reason(why, who), act))
    say(slug, done, "dropped", form)
