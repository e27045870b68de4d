"""grader team alias: another name of a team."""

from datetime import datetime

import click

from grader.cli._options import clock, database


@click.command("alias")
@click.argument("name")
@click.argument("alias")
@database
@clock
def command(name: str, alias: str, db: str, at: datetime) -> None:
    """Let the team NAME be known as ALIAS too: in --team, folders and file names.

    \b
        grader team alias "Forest" FRST
    """
    from grader import store

    with store.unit(store.existing(db)) as connection:
        store.add_alias(connection, name, alias, at)
        team = store.team(connection, alias)
    click.echo(f"{team.name} is also {', '.join(team.aliases)}")
