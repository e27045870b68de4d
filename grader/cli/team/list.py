"""grader team list: the registered teams."""

from typing import Any

import click

from grader.cli._options import database, output


@click.command("list")
@database
@output
def command(db: str, form: str) -> None:
    """List the registered teams, with what they said of themselves: for organisers alone.

    \b
        grader team list
    """
    from grader import store
    from grader.cli._say import say_json, table

    with store.reading(store.existing(db)) as connection:
        teams = store.teams(connection)
    if form == "json":
        say_json([_answer(team) for team in teams])
    elif teams:
        columns = ["team", "slug", "registered", "also", "affiliation", "contact", "tracks"]
        table("", [*columns, "may be archived"], [_row(team) for team in teams])
    else:
        click.echo("no team yet: grader team add NAME, or grader team import CSV")


def _answer(team: Any) -> dict[str, object]:
    said = team.registration
    return {
        "team": team.name,
        "slug": team.slug,
        "created": team.created.isoformat(),
        "aliases": list(team.aliases),
        "affiliation": said.affiliation or None,
        "contact": said.contact or None,
        "tracks": list(said.tracks),
        "consent": said.consent,
        "consented": said.consented.isoformat() if said.consented else None,
        "erased": team.erased.isoformat() if team.erased else None,
    }


def _row(team: Any) -> list[str]:
    said = team.registration
    erased = f", erased {team.erased:%Y-%m-%d}" if team.erased else ""
    return [
        team.name,
        team.slug,
        f"{team.created:%Y-%m-%d}{erased}",
        ", ".join(team.aliases),
        said.affiliation,
        said.contact,
        ", ".join(said.tracks),
        {True: "yes", False: "no", None: ""}[said.consent],
    ]
