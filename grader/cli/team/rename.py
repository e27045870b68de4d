"""grader team rename: another name for a team."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("rename")
@click.argument("old")
@click.argument("new")
@reason
@database
@clock
@output
def command(old: str, new: str, why: str, db: str, at: datetime, form: str) -> None:
    """Call the team OLD by the name NEW from now on. OLD stays an alias, and addresses stay.

    \b
        grader team rename "Forest" "Woods" --why "their mail of 11 May"
    """
    from grader import store
    from grader.cli._say import printable, say_json
    from grader.cli.team._told import logged
    from grader.marking import Decision
    from grader.registration import rename

    with store.unit(store.existing(db)) as connection:
        team, tasks = rename(connection, old, new, Decision(why, at))
    if form == "json":
        aliases = list(team.aliases)
        say_json({"team": team.name, "aliases": aliases, "logged_in": list(tasks)})
        return
    also = f", also {', '.join(team.aliases)}" if team.aliases else ""
    click.echo(printable(f"the team is called {team.name} now{also}; publish again to show it"))
    click.echo(logged(tasks))
