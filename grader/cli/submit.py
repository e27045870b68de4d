"""grader submit: send a run, get a receipt."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, clock, database, output


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
@database
@clock
@output
def command(run: Path, form: str, db: str, **given: Any) -> None:
    """Submit RUN to a task; print the receipt. Exits 1 if the run is refused.

    The same bytes under the same name again return the first receipt and create nothing.

    \b
        grader submit my-run.csv --task digits --team "Forest" --name first
    """
    from grader import store
    from grader.cli import BUG
    from grader.cli._say import rejected
    from grader.intake import receive
    from grader.model import Rejected, Upload
    from grader.tasks import contents

    at: datetime = given["at"]
    name = given["name"] if given["name"] is not None else run.stem
    upload = Upload(given["team"], name, run.name, contents(run), at, given["flag"])
    outcome = receive(store.existing(db), given["task"], upload)
    if isinstance(outcome, Rejected):
        raise SystemExit(rejected(str(run), outcome, form))
    say(outcome, form)
    if outcome.held:
        click.echo(outcome.trouble, err=True)
        raise SystemExit(BUG)


def say(receipt: Any, form: str) -> None:
    """Print a receipt, as JSON or as text to paste into a mail."""
    if form == "json":
        from grader.cli._say import say_json

        say_json(_answer(receipt))
    else:
        _text(receipt)


def _status(receipt: Any) -> str:
    return "held" if receipt.held else "accepted"


def _answer(receipt: Any) -> dict[str, object]:
    """A receipt as the contract of `submit --format json` has it."""
    from grader.cli._say import notices, scores, slots_of

    graded, slots = receipt.graded, slots_of(receipt.slots)
    return {
        "status": _status(receipt),
        "task": receipt.task,
        "team": receipt.team,
        "name": receipt.name,
        "run": receipt.run,
        "received": receipt.received.isoformat(),
        "sha256": receipt.sha256,
        "phase": receipt.phase or None,
        "next_slot": slots["next"] if slots else None,
        "slots": slots,
        "repeated": receipt.repeated,
        "notices": notices(receipt.notices),
        "scores": scores(graded, receipt.settings, receipt.digits) if graded else None,
        "hidden": receipt.hidden or None,
    }


def _text(receipt: Any) -> None:
    from grader.cli._say import mapping, printable, spelled
    from grader.instants import said as instant
    from grader.report import quota

    graded, status = receipt.graded, _status(receipt)
    said = {
        "status": f"{status}{' before: this is the first receipt' if receipt.repeated else ''}",
        "task": receipt.task,
        "team": receipt.team,
        "run": f"{receipt.run} ({receipt.name})",
        "received": instant(receipt.received) if receipt.phase else _utc(receipt.received),
        "sha256": receipt.sha256,
    }
    if receipt.phase:
        said["phase"] = receipt.phase
    if receipt.slots:
        said["quota"] = quota(receipt.slots)
    if receipt.hidden:
        said["scores"] = receipt.hidden
    for s in graded.scores if graded else ():
        if s.subset == "all":
            said[s.measure] = spelled(s, receipt.digits)
    mapping(said)
    for notice in receipt.notices:
        click.echo(printable(f"note: {notice.message}"))
    if receipt.held:
        click.echo(
            "The scorer broke on this run. The run is safe; nothing needs to be sent again."
        )
        click.echo(f"Organisers: grader rescore {receipt.task}")


def _utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
