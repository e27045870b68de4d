"""grader campaign list: the registered campaigns."""

import click

from grader.cli._options import database, output


@click.command("list")
@database
@output
def command(db: str, form: str) -> None:
    """List the campaigns.

    \b
        grader campaign list
    """
    from grader import store
    from grader.cli._say import say_json, table
    from grader.cli.campaign._told import answer

    with store.reading(store.existing(db)) as connection:
        found, known = store.campaigns(connection), set(store.slugs(connection))
    if form == "json":
        say_json([answer(campaign, known) for campaign in found])
    elif found:
        rows = [[c.slug, c.title, len(c.tasks) - len(c.dry_runs), len(c.dry_runs)] for c in found]
        table("", ["campaign", "title", "tasks", "dry runs"], rows)
    else:
        click.echo("no campaign yet: grader campaign add campaign.toml")
