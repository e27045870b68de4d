"""grader team list: the registered teams."""

import click

from grader.cli._options import database, output


@click.command("list")
@database
@output
def command(db: str, form: str) -> None:
    """List the registered teams.

    \b
        grader team list
    """
    from grader import store
    from grader.cli._say import say_json, table

    with store.reading(store.existing(db)) as connection:
        teams = store.teams(connection)
    if form == "json":
        say_json(
            [
                {
                    "team": t.name,
                    "slug": t.slug,
                    "created": t.created.isoformat(),
                    "aliases": list(t.aliases),
                }
                for t in teams
            ]
        )
        return
    if not teams:
        click.echo("no team yet: grader team add NAME")
        return
    table(
        "",
        ["team", "slug", "registered", "also"],
        [[t.name, t.slug, f"{t.created:%Y-%m-%d}", ", ".join(t.aliases)] for t in teams],
    )
