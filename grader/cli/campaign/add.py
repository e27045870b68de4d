"""grader campaign add: register a campaign."""

from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FILE, clock, database, output


@click.command("add")
@click.argument("file", type=FILE)
@database
@clock
@output
def command(file: Path, db: str, at: datetime, form: str) -> None:
    """Register the campaign that FILE, a campaign.toml, declares.

    It names tasks, which may also be registered later; each is in one campaign at most. The site
    has a page of it, with each team's official run in each task.

    \b
        grader campaign add campaign.toml
    """
    from grader import store
    from grader.cli._say import say_json
    from grader.cli.campaign._told import answer, say
    from grader.tasks import contents
    from grader.tasks.document import decoded

    text = decoded(contents(file), str(file))
    with store.unit(store.opened(db)) as connection:
        made = store.add_campaign(connection, text, at)
        known = set(store.slugs(connection))
    say_json(answer(made, known)) if form == "json" else say(made, known)
