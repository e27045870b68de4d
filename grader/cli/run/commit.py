"""grader run commit: promise a file before the close."""

import re
from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FILE, clock, database, output


@click.command("commit")
@click.argument("task")
@click.argument("run", type=FILE, required=False)
@click.option("--team", required=True, metavar="NAME", help="A registered team.")
@click.option("--sha256", "digest", metavar="HEX", help="The file's SHA-256, without the file.")
@database
@clock
@output
def command(
    task: str, run: Path | None, team: str, digest: str | None, db: str, at: datetime, form: str
) -> None:
    """Keep the SHA-256 of RUN: those bytes may come after the close, within the phase's grace.

    \b
        grader run commit digits my-run.csv --team Forest
        grader run commit digits --sha256 9f86d081… --team Forest
    """
    from datetime import timedelta
    from hashlib import sha256

    from grader import marking, store
    from grader.cli._say import mapping, say_json
    from grader.errors import Mistake
    from grader.instants import said
    from grader.tasks import contents

    if (run is None) == (digest is None):
        raise click.UsageError("give the file or --sha256, one of the two")
    found = sha256(contents(run)).hexdigest() if run is not None else str(digest).lower()
    if not re.fullmatch(r"[0-9a-f]{64}", found):
        raise Mistake(
            f"{found[:80]!r} is no SHA-256: 64 digits of 0-9 and a-f", mend="sha256sum RUN"
        )
    with store.unit(store.existing(db)) as connection:
        phase = marking.promise(connection, task, team, found, at)
        name = store.team(connection, team).name
    until = phase.closes + timedelta(minutes=phase.grace)
    answer = {"team": name, "sha256": found, "phase": phase.name}
    if form == "json":
        say_json(answer | {"in_time_before": until.isoformat()})
    else:
        mapping(answer | {"in time": f"these bytes alone, before {said(until)}"})
