"""grader publish: write the site, or what teams or organisers alone may see."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, Instant, clock, database, output


@click.command("publish")
@click.argument("folder", type=FOLDER)
@click.option(
    "--for",
    "whom",
    default="public",
    show_default=True,
    metavar="WHOM",
    help="public, participants (a folder for each team), a team's name, or organisers.",
)
@click.option("--early", is_flag=True, help="Tell teams of phases that are over, not revealed.")
@click.option("--why", metavar="TEXT", help="The reason for --early: logged.")
@click.option(
    "--embargo", type=Instant(), metavar="INSTANT", help="Until when teams keep it to themselves."
)
@database
@clock
@output
def command(folder: Path, db: str, at: datetime, form: str, **given: Any) -> None:
    """Write the leaderboard as files into FOLDER; it opens from disk and from any web server.

    The new site takes the place of the old one in one step; if anything fails, the old one stays
    whole. Files that are not of a publish (CNAME, .git, notes) stay. A first publish refuses a
    folder that holds anything else, and any publish one with gold, a task.toml, a database or
    pages for others.

    --at decides which scores may be seen by then; the runs, also such as came in after it, and
    the gold are those that the database has now.

    With --for participants FOLDER gets a folder for each team: its own runs instance by instance,
    right or wrong, beside figures of the field. This tells labels, so a phase must be over for
    everybody, and so must all others that are scored on the same instances. Send each folder by
    itself: the names of the folders say which teams there are.

    \b
        grader publish site
        grader publish results --for participants
        grader publish results --for "Team A" --early --why "results by mail, 10 June"
        grader publish all --for organisers
    """
    from grader.publishing import PUBLIC

    whom = given["whom"]
    to_teams = whom not in (PUBLIC, "organisers")
    if not to_teams and (given["early"] or given["why"] is not None or given["embargo"]):
        raise click.UsageError("--early, --why and --embargo go with --for participants or a team")
    if given["early"] != bool((given["why"] or "").strip()):
        raise click.UsageError("--early and --why TEXT go together")
    if given["embargo"] and given["embargo"] <= at:
        raise click.UsageError(f"--embargo {given['embargo']:%Y-%m-%dT%H:%M:%SZ} is over already")
    if to_teams:
        _hand_out(db, folder, at, given, form)
        return
    every = whom == "organisers"
    # Made once publish alone has the folder: no older snapshot overwrites a newer one.
    _write(_pages(db, folder, at, every=every), folder, whom, form)


def _write(pages: Iterator[Any], folder: Path, whom: str, form: str) -> None:
    import gc

    from grader.publishing import publish

    gc.disable()  # nothing that pages are made of goes before they are made
    try:
        done = publish(pages, folder, whom)
    finally:
        gc.enable()
    if form == "json":
        from grader.cli._say import say_json

        say_json({"site": str(folder / "index.html"), **_counts(done)})
        return
    click.echo(
        f"{folder / 'index.html'}: {done.written} files written, {done.unchanged} unchanged, "
        f"{done.removed} removed"
    )


def _counts(done: Any) -> dict[str, int]:
    return {"written": done.written, "unchanged": done.unchanged, "removed": done.removed}


def _pages(db: str, folder: Path, at: datetime, *, every: bool) -> Iterator[Any]:
    from grader.errors import Mistake
    from grader.processors import meanwhile
    from grader.publishing import large

    with meanwhile(partial(_before, folder), worth=large(folder)) as before:
        # Loaded meanwhile, too: it takes as long as reading does.
        from grader import store
        from grader.cli._say import progress
        from grader.paired import everything, public
        from grader.site import renewed, tasks_shown

        with store.reading(store.existing(db)) as connection:
            snapshot = everything(connection, at) if every else public(connection, at)
        made, firsts = before()
    # A task is never unregistered: one that would vanish belongs to another database.
    if lost := tasks_shown(firsts) - {r.task.slug for r in snapshot.tasks}:
        raise Mistake(
            f"{folder} shows tasks that this database does not have: {', '.join(sorted(lost))}",
            "nothing was changed: is --db or GRADER_DB the right one?",
            mend="publish to another folder, or delete this one first",
        )
    mark = "For organisers only: hidden scores and secret labels. Do not share." if every else ""
    pages = renewed(snapshot, mark, made)
    first = next(pages)  # forks, before a bar of progress makes a thread
    with progress("rendering", None) as step:
        for page in chain([first], pages):
            yield page
            step(page)


def _before(folder: Path) -> tuple[Mapping[str, str], list[str]]:
    """The keys of the pages that are as they were made, and the paths of the first pages."""
    from grader.publishing import known
    from grader.publishing.manifest import manifest

    firsts = (path for path in manifest(folder).paths if path.endswith("/index.html"))
    return known(folder), list(firsts)


def _hand_out(db: str, folder: Path, at: datetime, given: Mapping[str, Any], form: str) -> None:
    from grader import releasing, store
    from grader.cli._say import printable, say_json
    from grader.marking import Decision

    engine = store.existing(db)
    name = None if given["whom"] == "participants" else given["whom"]
    with store.reading(engine) as connection:
        found, withheld = releasing.parcels(connection, at, name, early=given["early"])

    @contextmanager
    def kept() -> Iterator[None]:
        """It is kept what was handed out: both are done, or none."""
        with store.unit(engine) as connection:
            releasing.handed(connection, found, Decision(given["why"], at))
            yield

    done = _written(found, folder, given, kept())
    folders = {one.team.name: str(folder / one.team.slug) for one in found}
    later = [{"task": w.task, "phase": w.phase or None, "why": w.why} for w in withheld]
    if form == "json":
        say_json({"folders": folders, "withheld": later, **_counts(done)})
        return
    for team, path in folders.items():
        click.echo(printable(f"{path}: for {team} alone; send it by itself"))
    for one in withheld:
        click.echo(printable(f"not told yet: {one.task} {one.phase}: {one.why}"))


def _written(found: Any, folder: Path, given: Mapping[str, Any], within: Any) -> Any:
    """Write a folder for each team."""
    from dataclasses import replace

    from grader.publishing import publish
    from grader.site import parcel_pages

    end = given["embargo"]
    parcels = [replace(one, embargo=end) for one in found] if end else found
    under = "" if given["whom"] == "participants" else f"{parcels[0].team.slug}/"
    pages = (page for one in parcels for page in parcel_pages(one))
    return publish(pages, folder, "participants", under, within)
