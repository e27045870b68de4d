"""grader demo: a complete task, graded and published."""

import tomllib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, clock

_MADE = "grader-demo.txt"


@click.command("demo")
@click.option(
    "--out",
    type=FOLDER,
    default="grader-demo",
    show_default=True,
    help="The folder to make it in.",
)
@clock
def command(out: Path, at: datetime) -> None:
    """Make a complete example: register a task, submit its runs, publish the board.

    Needs nothing but itself. Run it again and it goes on where it stopped.

    \b
        grader demo
    """
    from grader import store
    from grader.paired import public
    from grader.publishing import publish
    from grader.site import render

    _ours(out)
    folder = out / "tasks" / "digits"
    engine = store.opened(store.sqlite_file(out / "grader.db"))
    _registered(engine, folder, at)
    refused = _submitted(engine, folder, at)
    with store.reading(engine) as connection:
        snapshot = public(connection, at)
    publish(render(snapshot), out / "site")
    engine.dispose()
    runs = len(snapshot.tasks[0].entries)
    click.echo(f"{runs} runs of the task 'digits' are graded and published.{refused}\n")
    click.echo(_next(out))


def _next(out: Path) -> str:
    import os
    import shlex
    import shutil
    import sys

    site = (out / "site" / "index.html").resolve().as_uri()
    here = shutil.which("grader") is not None
    grader = "grader" if here else shlex.quote(str(Path(sys.argv[0]).resolve()))
    other = "\n  unset GRADER_DB" if "GRADER_DB" in os.environ else ""
    return f"""Look at the board:
  {site}

Try next:
  cd {shlex.quote(str(out))}{other}
  {grader} check tasks/digits/broken.csv --task tasks/digits
  {grader} score tasks/digits/runs/forest.csv --task tasks/digits
  {grader} run list digits
  {grader} gold drop digits d0001 --why "try it out"
  {grader} publish site
To start a task of your own: {grader} init my-task"""


def _ours(out: Path) -> None:
    """Make the folder and copy the task into it; a folder of somebody else's is left alone."""
    import shutil

    from grader.data import folder
    from grader.errors import Mistake

    marker = out / _MADE
    try:
        if out.exists() and not marker.exists() and (not out.is_dir() or any(out.iterdir())):
            raise Mistake(
                f"{out} exists and is not a demo", mend="grader demo --out another-folder"
            )
        out.mkdir(parents=True, exist_ok=True)
        marker.write_text("made by: grader demo; delete the folder when done\n", encoding="utf-8")
        skip = shutil.ignore_patterns("__pycache__", "generate.py", "board.png")
        target = out / "tasks" / "digits"
        shutil.copytree(folder("tasks") / "digits", target, ignore=skip, dirs_exist_ok=True)
    except OSError as e:
        raise Mistake(f"{out} cannot be written: {e.strerror or e}") from e


def _registered(engine: Any, folder: Path, at: datetime) -> None:
    """Register the task and its teams, unless an earlier run of the demo did."""
    import secrets

    from grader import store
    from grader.tasks import load

    task, text, gold = load(folder)
    with store.unit(engine) as connection:
        if task.slug in store.slugs(connection):
            return
        # The demo's gold is no secret, so its salt need not be: the demo's pages come out equal.
        store.add_task(connection, task.slug, text, gold, b"demo", at)
        for name in dict.fromkeys(run["team"] for run in _runs(folder)):
            store.add_team(connection, name, secrets.token_urlsafe(24), at)


def _submitted(engine: Any, folder: Path, at: datetime) -> str:
    """Submit every run, a minute apart; return what to say of refused ones."""
    from grader.cli._say import progress
    from grader.intake import receive
    from grader.model import Rejected, Upload

    refused = 0
    runs = _runs(folder)
    with progress("grading", len(runs)) as step:
        for i, run in enumerate(runs):
            file = folder / run["file"]
            flags = (run["flag"],) if "flag" in run else ()
            received = at - timedelta(minutes=len(runs) - i)
            upload = Upload(
                run["team"], run["name"], file.name, file.read_bytes(), received, flags
            )
            refused += isinstance(receive(engine, folder.name, upload), Rejected)
            step(run)
    return f" {refused} were refused." if refused else ""


def _runs(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((folder / "runs.toml").read_text("utf-8"))["run"]
    return found
