"""grader gold release: let everybody see the labels."""

from datetime import datetime

import click

from grader.cli._options import clock, database, output, reason


@click.command("release")
@click.argument("slug")
@click.option("--version", type=int, metavar="N", help="The gold version; else the newest.")
@click.option("--yes", is_flag=True, help="It is meant: there is no way back.")
@reason
@database
@clock
@output
def command(
    slug: str, version: int | None, why: str, db: str, at: datetime, form: str, *, yes: bool
) -> None:
    """Make a gold version public for good: labels, judgements, the key of its commitment.

    The site then has them as files, with how to check the commitment, and beside them the runs
    of those teams instance by instance who agreed to an archive. Without --yes it says what would
    be released, and changes nothing. It is refused while a phase is open or still to come, and
    while another task with the same gold takes runs. A later version stays secret until this
    command is given for it too.

    \b
        grader gold release digits --why "the workshop is over" --yes
    """
    from grader import releasing, store
    from grader.cli._say import printable, say_json
    from grader.marking import Decision

    with store.unit(store.existing(db)) as connection:
        done = releasing.release(connection, slug, version, Decision(why, at), sure=yes)
    secret = done.secret
    if form == "json":
        gold = {"version": secret.version, "commitment": secret.commitment, "key": secret.salt}
        counts = {"runs": done.runs, "kept_back": done.kept_back}
        say_json({"task": slug, "gold": gold, **counts, "shares": list(done.shares)})
        return
    click.echo(f"{slug}: gold v{secret.version} is public; publish again to show it")
    click.echo(f"{done.runs} of {done.runs + done.kept_back} runs are shown instance by instance")
    for said in done.shares:
        click.echo(printable(f"mind: {said}"))
