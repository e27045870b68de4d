"""grader team merge: two teams are one."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output, reason


@click.command("merge")
@click.argument("source", metavar="FROM")
@click.argument("into")
@reason
@database
@clock
@output
def command(source: str, into: str, why: str, db: str, at: datetime, form: str) -> None:
    """Make the team FROM a part of INTO: its runs, promises, refused files and names move.

    Addresses of runs stay. Quotas count together from now on. FROM becomes an alias, and its token
    ends. What both registered with stands together; runs may be archived where both agreed.

    Where both have a primary run in a phase, that of INTO stays it. Where both sent the same
    bytes under the same name, the run that moves is called "NAME (2)".

    \b
        grader team merge "Copse" "Forest" --why "they are one group"
    """
    from grader import store
    from grader.cli._say import say_json
    from grader.marking import Decision
    from grader.registration import merge

    with store.unit(store.existing(db)) as connection:
        done = merge(connection, source, into, Decision(why, at))
    _text(done) if form == "text" else say_json(_json(done))


def _json(done: Any) -> dict[str, Any]:
    runs = [(clash.task, clash.run, clash.other, clash.name) for clash in done.clashes]
    return {
        "team": done.team.name,
        "aliases": list(done.team.aliases),
        "no_longer_primary": [
            {"task": task, "run": run, "instead": other}
            for task, run, other, name in runs
            if not name
        ],
        "renamed": [
            {"task": task, "run": run, "same_as": other, "name": name}
            for task, run, other, name in runs
            if name
        ],
        "over_quota": [
            {"task": task, "phase": phase, "runs": runs, "quota": quota}
            for task, phase, runs, quota in done.full
        ],
        "logged_in": list(done.tasks),
    }


def _text(done: Any) -> None:
    from grader.cli._say import printable
    from grader.cli.team._told import logged

    team = done.team
    click.echo(printable(f"{team.name} is also {', '.join(team.aliases)} now; publish again"))
    for clash in done.clashes:
        if clash.name:
            said = f"{clash.run} has the same bytes and name as {clash.other}: it is called "
            said += f"{clash.name!r} now; one of the two may be withdrawn"
            mend = f"grader run withdraw {clash.task} {clash.run} --why '…'"
        else:
            said = f"both had a primary run: {clash.other} stays it, {clash.run} no longer is"
            mend = f"grader run flag {clash.task} {clash.run} primary --why '…'"
        click.echo(printable(f"{clash.task}: {said}"))
        click.echo(f"  {mend}")
    for task, phase, runs, quota in done.full:
        said = (
            f"{task}: {runs} runs in phase {phase!r}, where {quota} are allowed: no more is taken"
        )
        click.echo(printable(said))
    click.echo(logged(done.tasks))
