"""grader run amend: another file in the place of a run's."""

from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE
from grader.cli.run._decided import deciding


@click.command("amend")
@click.argument("task")
@click.argument("run")
@click.argument("file", type=FILE)
@deciding
def command(task: str, run: str, file: Path, **given: Any) -> None:
    """Put FILE in the place of the file of RUN, which is scored again and marked amended.

    The run keeps its address, its instant and its slot, and its old file, which `run download`
    gives back. FILE must be one that a door would take; if it is refused, nothing is changed, and
    the command exits with 1. Once labels are known that were not when the run came, it is not
    amended. Whoever sends the old file again gets the receipt of this run.

    \b
        grader run amend digits trees-1 mended.csv --why "ids were shifted by one, see their mail"
    """
    from grader import marking, store
    from grader.cli import BUG
    from grader.cli._say import rejected
    from grader.model import Rejected, Upload
    from grader.tasks import contents

    form = given["form"]
    sent = Upload("", "", file.name, contents(file), given["at"])
    decision = marking.Decision(given["why"], given["at"])
    done = marking.amend(store.existing(given["db"]), task, run, sent, decision)
    if isinstance(done, Rejected):
        raise SystemExit(rejected(str(file), done, form))
    _say(done, task, form)
    if done.trouble:
        click.echo(done.trouble, err=True)
        raise SystemExit(BUG)


def _say(done: Any, task: str, form: str) -> None:
    from grader.cli._say import notices, printable, say_json

    if form == "json":
        say_json(
            {
                "run": done.run,
                "version": done.version,
                "before": done.before,
                "sha256": done.sha256,
                "status": "accepted" if done.graded else "held",
                "lifted": list(done.lifted),
                "notices": notices(done.graded.notices) if done.graded else [],
            }
        )
        return
    click.echo(f"{done.run} is amended, version {done.version}; publish again to show it")
    if done.lifted:
        click.echo(f"no longer waived, as the new file does not need it: {', '.join(done.lifted)}")
    for notice in done.graded.notices if done.graded else ():
        click.echo(printable(f"note: {notice.message}"))
    if not done.graded:
        click.echo("The scorer broke on the file. Both files are safe, and the run is held.")
        click.echo(f"  grader rescore {task}")
