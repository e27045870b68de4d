"""grader team erase: who a team was is forgotten, its runs stay."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output, reason


@click.command("erase")
@click.argument("name")
@reason
@click.option("--dry-run", is_flag=True, help="Only say what would be done, and what stays.")
@database
@clock
@output
def command(name: str, why: str, *, dry_run: bool, db: str, at: datetime, form: str) -> None:
    """Erase who the team NAME was. It cannot be undone.

    Gone are its name, aliases, affiliation, contact and token, what its runs say of themselves,
    their names and the names of files, and every mention of it in logs, reasons and disputes.
    Runs, scores, ranks and numbers stay, and addresses that say no name. What cannot be erased is
    looked for and told: uploaded bytes, files of tasks and campaigns, other teams' texts.

    \b
        grader team erase "Forest" --why "they asked for it" --dry-run
    """
    from grader import store
    from grader.marking import Decision
    from grader.registration import erase

    engine = store.existing(db)
    with store.unit(engine) as connection:
        point = connection.begin_nested()
        done = erase(connection, name, Decision(why, at))
        point.rollback() if dry_run else point.commit()
    if not dry_run:
        store.forget(engine)
    _json(done, dry_run=dry_run) if form == "json" else _text(done, engine, dry_run=dry_run)


def _json(done: Any, *, dry_run: bool) -> None:
    from grader.cli._say import say_json

    said = {
        "team": done.team,
        "moved": [{"task": task, "run": old, "now": new} for task, old, new in done.moved],
        "reworded": done.reworded,
        "left": {place.column: list(place.rows) for place in done.left},
        "logged_in": list(done.tasks),
    }
    say_json(said | ({"dry_run": True} if dry_run else {}))


def _text(done: Any, engine: Any, *, dry_run: bool) -> None:
    from grader.cli._say import printable
    from grader.cli.team._told import logged
    from grader.plural import counted

    head = "nothing is erased yet; it would be called" if dry_run else "erased; it is called"
    click.echo(f"{head} {done.team!r}")
    for task, old, new in done.moved:
        click.echo(f"  {task}/{old} is {task}/{new}")
    for table, n in done.reworded.items():
        click.echo(f"  {counted(n, _TEXTS[table])} reworded")
    if done.left:
        click.echo("a name of the team, or the same word by chance, still stands in:")
    for place in done.left:
        what = _PLACES.get(place.column, place.column)
        click.echo(printable(f"  {what}: {', '.join(place.rows)}"))
    if not done.left:
        click.echo("no name of it was found in uploaded bytes, or anywhere else in the database")
    click.echo(
        "not looked through: backups, exports, kits, sites published before (publish again), "
        "folders of the inbox, and the file that teams are imported from"
        + ("" if engine.dialect.name == "sqlite" else "; the server's own log of changes")
    )
    click.echo(logged(done.tasks))


_TEXTS = {
    "log": "log line",
    "run_flags": "flag reason",
    "refusals": "refusal remark",
    "amendments": "amendment reason",
    "extensions": "extension reason",
    "releases": "frozen release",
    "disputes": "dispute",
    "judgements": "judgement reason",
    "golds": "gold version reason",
    "instances": "dropped instance's reason",
}
_PLACES = {
    "payloads.body": "uploaded bytes of",
    "tasks.config": "task.toml of",
    "campaigns.config": "campaign.toml of",
    "runs.name": "names of other teams' runs in",
    "runs.about": "descriptions of other teams' runs in",
    "runs.filename": "file names of other teams' runs in",
    "refusals.filename": "names of refused files in",
    "instances.answers": "gold answers of",
    "gradings.notices": "notices of gradings",
}
