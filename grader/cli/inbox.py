"""grader inbox: a folder that runs come in by."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, Instant, database


@click.command("inbox")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--watch", is_flag=True, help="Go on until interrupted.")
@click.option(
    "--every",
    type=click.FloatRange(0.01, 3600),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look; what has changed since is still being written.",
)
@click.option(
    "--at",
    type=Instant(),
    metavar="INSTANT",
    help="Take this ISO 8601 instant for now, e.g. 2026-11-29T12:00:00Z.",
)
@database
def command(folder: Path, *, watch: bool, every: float, at: datetime | None, db: str) -> None:
    """Take in the files in DIR/TASK/TEAM/ and leave a report beside each, as text and JSON.

    TEAM is a team's name, alias or slug. A file that was answered moves to DIR/.done; one that
    could not be graded yet waits in DIR/.claimed for the next time, with the instant at which it
    came. Files that begin with a dot or end as .part or .tmp do are not finished.

    Exits 0 if all files were answered, taken or refused; 2 if something is left to see to.

    \b
        grader inbox /srv/runs --watch
    """
    from datetime import UTC

    from grader import store
    from grader.cli import BUG
    from grader.errors import Mistake
    from grader.inbox import Box

    if not folder.is_dir():
        raise Mistake(f"there is no folder {folder}", mend=f"mkdir -p {folder}/TASK/TEAM")
    if watch and at is not None:
        raise Mistake("--watch takes each file at the instant it comes: leave out --at")

    def warn(line: str) -> None:
        click.echo(line, err=True)

    def clock() -> datetime:
        return at or datetime.now(UTC)

    box = Box(folder, store.existing(db), every, click.echo, warn)
    broken = _watch(box, clock) if watch else _once(box, clock)
    if broken:
        raise SystemExit(BUG)
    raise SystemExit(2 if box.told and not watch else 0)


def _once(box: Any, clock: Any) -> int:
    """Take in what is there; it is looked at twice, so that a file has time to be finished."""
    from grader.inbox import look, work

    if seen := look(box, {}):
        box.stop.wait(box.every)
    seen, broken = work(box, seen, clock)
    for path in seen:
        if path.exists():
            box.warn(f"{path}: still being written, and left for the next time")
    return int(broken)


def _watch(box: Any, clock: Any) -> int:
    """Look again and again, until a signal; a second one does not wait for the file at hand."""
    import signal

    from grader.errors import Unavailable
    from grader.inbox import work

    def stop(number: int, _: object) -> None:
        box.stop.set()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    click.echo(f"watching {box.folder}; Ctrl-C ends it")
    broken, seen = 0, dict[Any, Any]()
    while not box.stop.is_set():
        try:
            now, more = work(box, seen, clock)
            broken, seen = broken + more, dict(now)
        except Unavailable as e:
            click.echo(f"grader: {e}", err=True)
        box.stop.wait(box.every)
    return broken
