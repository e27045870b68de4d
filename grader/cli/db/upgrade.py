"""grader db upgrade: bring a database to this version's tables."""

import click

from grader.cli._options import database


@click.command("upgrade")
@database
def command(db: str) -> None:
    """Bring the database to the tables of this version. Make a copy first.

    \b
        grader db upgrade --db sqlite:///grader.db
    """
    from grader import store

    before, after = store.upgrade(db)
    same = f"already at revision {after}"
    click.echo(same if before == after else f"from revision {before or 'none'} to {after}")
