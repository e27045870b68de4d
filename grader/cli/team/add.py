"""grader team add: register a team."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output


@click.command("add")
@click.argument("name")
@database
@clock
@output
def command(name: str, db: str, at: datetime, form: str) -> None:
    """Register a team; print its token, the only time it is shown.

    \b
        grader team add "Forest"
    """
    import secrets

    from grader import store
    from grader.cli._say import mapping, say_json

    token = secrets.token_urlsafe(24)
    with store.unit(store.opened(db)) as connection:
        store.add_team(connection, name, token, at)
        stored = store.team(connection, name).name
    answer = {"team": stored, "token": token}
    say_json(answer) if form == "json" else mapping(answer)
