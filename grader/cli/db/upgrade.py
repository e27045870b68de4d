"""grader db upgrade: bring a database to this version's tables."""

import click

from grader.cli._options import database


@click.command("upgrade")
@database
def command(db: str) -> None:
    """Bring the database to the tables of this version. Make a copy first.

    Says which tasks have runs that were scored by a version which said less of them.

    \b
        grader db upgrade --db sqlite:///grader.db
    """
    from grader import store
    from grader.plural import counted

    before, after = store.upgrade(db)
    same = f"already at revision {after}"
    click.echo(same if before == after else f"from revision {before or 'none'} to {after}")
    with store.reading(store.existing(db)) as connection:
        lacking = store.unanalysed(connection)
    for slug, many in lacking:
        said = counted(many, "run", "lacks", "lack")
        click.echo(f"{slug}: {said} what pages say beside the scores; grader rescore {slug}")
