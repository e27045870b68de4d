"""grader gold restore: let dropped instances count again."""

from datetime import datetime

import click

from grader.cli.gold._said import deciding


@click.command("restore")
@click.argument("slug")
@click.argument("ids", nargs=-1, required=True)
@deciding
def command(
    slug: str, ids: tuple[str, ...], why: str, who: str, db: str, at: datetime, form: str
) -> None:
    """Let dropped instances count again: a new gold version, and every run scored again.

    Runs that came in while an instance was dropped did not have to answer it: if one did not,
    nothing is restored until it is amended or withdrawn, unless the task says what a missing
    answer means.

    \b
        grader gold restore digits d0090 --why "readable at twice the size"
    """
    from grader.cli.gold._said import made, say
    from grader.versioning import Reason, restore

    done = made(db, at, lambda d, act: restore(d, slug, ids, Reason(why, who), act))
    say(slug, done, "restored", form)
