"""grader team alias: another name of a team."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("alias")
@click.argument("name")
@click.argument("alias")
@database
@clock
@output
def command(name: str, alias: str, db: str, at: datetime, form: str) -> None:
    """Let the team NAME be known as ALIAS too: in --team, folders and file names.

    \b
        grader team alias "Forest" FRST
    """
    from grader import store
    from grader.cli._say import printable, say_json

    with store.unit(store.existing(db)) as connection:
        store.add_alias(connection, name, alias, at)
        team = store.team(connection, alias)
    if form == "json":
        say_json({"team": team.name, "aliases": list(team.aliases)})
        return
    click.echo(printable(f"{team.name} is also {', '.join(team.aliases)}"))
