"""grader team token: give a team a new token."""

import click

from grader.cli._options import database, output


@click.command("token")
@click.argument("name")
@database
@output
def command(name: str, db: str, form: str) -> None:
    """Give a team a new token; print it, the only time it is shown. The old one ends at once.

    \b
        grader team token "Forest"
    """
    import secrets

    from grader import store
    from grader.cli._say import mapping, say_json

    token = secrets.token_urlsafe(24)
    with store.unit(store.existing(db)) as connection:
        store.set_token(connection, name, token)
        stored = store.team(connection, name).name
    answer = {"team": stored, "token": token}
    say_json(answer) if form == "json" else mapping(answer)
