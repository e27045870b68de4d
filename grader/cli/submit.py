"""grader submit: send a run, get a receipt."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, about, clock, database, output, overlooked, told, waiver


@click.command("submit")
@click.argument("run", type=FILE)
@click.option("--task", required=True, metavar="SLUG", help="The task's address.")
@click.option("--team", required=True, metavar="NAME", help="A registered team.")
@click.option("--name", metavar="RUNNAME", help="The run's name; by default the file's.")
@click.option(
    "--flag",
    type=click.Choice(["primary", "contrastive", "baseline"]),
    multiple=True,
    help="What the run is to its team; may be given twice.",
)
@about
@waiver
@database
@clock
@output
def command(run: Path, form: str, db: str, **given: Any) -> None:
    """Submit RUN to a task; print the receipt. Exits 1 if the run is refused.

    RUN may be a .gz of a run, or a .zip of one or several, each of which is answered. The same
    bytes under the same name again return the first receipt and create nothing.

    With --waive CODE problems of that code are overlooked: of the door (closed, not-open, quota,
    too-many-refused, too-large, bad-name), or of the file where that has a meaning (missing-id
    counts as wrong at confidence 1, a line of an unknown-id is passed over, a blank-answer,
    not-a-label or not-numeric answer is wrong; two-confidences, unknown-source). The run is
    marked, and stays so when it is scored again.

    \b
        grader submit my-run.csv --task digits --team "Forest" --name first
        grader submit late.csv --task digits --team "Forest" --waive closed --why "our mail failed"
    """
    from grader import store
    from grader.cli import BUG
    from grader.intake import deliver
    from grader.model import Rejected, Upload
    from grader.store import checked
    from grader.tasks import contents

    at: datetime = given["at"]
    name = "" if given["name"] is None else checked("run name", given["name"], 200)
    said = {"about": told(given), **overlooked(given)}
    upload = Upload(given["team"], name, run.name, contents(run), at, given["flag"], **said)
    found = deliver(store.existing(db), given["task"], upload)
    where = [(str(run) if len(found) == 1 else f"{run}/{file}", no) for file, no in found]
    say(found if form == "json" else where, form)
    troubles = [no.trouble for _, no in found if not isinstance(no, Rejected) and no.held]
    for trouble in troubles:
        click.echo(trouble, err=True)
    refused = any(isinstance(outcome, Rejected) for _, outcome in found)
    raise SystemExit(BUG if troubles else int(refused))


def say(found: Any, form: str) -> None:
    """Print the answer to a file, as JSON or as text to paste into a mail."""
    from grader.cli._say import say_json
    from grader.receipts import answers, lines

    if form == "json":
        say_json(answers(found))
        return
    for line in lines(found):
        click.echo(line)
