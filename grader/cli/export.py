"""grader export: the scores of a task as a table, or all that an overview paper needs."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FOLDER, clock, database

_WHOLE = "overview.json"


@click.command("export")
@click.argument("task", metavar="TASK|CAMPAIGN")
@click.option("--format", "form", type=click.Choice(["csv", "json"]), help="Scores as a table.")
@click.option("--out", type=FOLDER, help="The file to write; by default the terminal.")
@click.option(
    "--overview", "folder", type=FOLDER, metavar="DIR", help="A paper's folder of files."
)
@click.option(
    "--organiser", "organisers", multiple=True, metavar="NAME", help="Whom to cite; repeatable."
)
@click.option("--force", is_flag=True, help="Write over files that are there.")
@database
@clock
def command(
    task: str,
    form: str | None,
    out: Path | None,
    folder: Path | None,
    organisers: tuple[str, ...],
    *,
    force: bool,
    db: str,
    at: datetime,
) -> None:
    """Write every score of TASK, one row for each run, subset and measure.

    JSON has these rows under "scores", and under "analyses" what the page of each run says beside
    them; CSV has the scores alone. In CSV a text that begins with = + - @ a tab or the end of
    a line gets a ' in front, so that no spreadsheet runs it. JSON keeps texts letter for letter.

    With --overview DIR, also of a CAMPAIGN (all its tasks but dry runs), a folder of what a paper
    about it needs: tables as LaTeX, CSV and JSON of runs, scores, pairs, orders, dropped instances
    and what hangs on each instance, a LaTeX macro for each number, BibTeX and CITATION.cff. It is
    for organisers: figures of single instances tell what is right.

    \b
        grader export digits --format csv --out digits.csv
        grader export digits --overview paper --organiser "The digits team"
    """
    if (form is None) == (folder is None):
        raise click.UsageError("give --format or --overview DIR")
    if folder is not None:
        if out is not None:
            raise click.UsageError("--out goes with --format")
        _overview(task, folder, organisers, force=force, db=db, at=at)
        return
    if organisers:
        raise click.UsageError("--organiser goes with --overview")
    _scores(task, out, plain=form == "csv", force=force, db=db, at=at)


def _scores(
    task: str, out: Path | None, *, plain: bool, force: bool, db: str, at: datetime
) -> None:
    from grader import store
    from grader.board import visible
    from grader.cli._files import write
    from grader.export import as_json, csv, frame
    from grader.plural import counted

    with store.reading(store.existing(db)) as connection:
        results = visible(store.snapshot(connection, at, [task]), "organisers").tasks[0]
    text = csv(results) if plain else as_json(results)
    if out is None:
        click.echo(text, nl=False)
        return
    write(out, text.encode(), over=force)
    click.echo(f"{out}: {counted(len(frame(results)), 'score')}", err=True)


def _overview(
    slug: str, out: Path, organisers: Sequence[str], *, force: bool, db: str, at: datetime
) -> None:
    from grader import store
    from grader.cli._folder import write_folder
    from grader.export import Subject, folder
    from grader.overview import overviews
    from grader.plural import counted
    from grader.store import checked

    _room(out, force=force)
    names = tuple(checked("organiser", name, 200) for name in organisers)
    with store.reading(store.existing(db)) as connection:
        title, campaign, slugs = _subject(connection, slug)
        found = tuple(overviews(connection, slugs, at))
    files = dict(folder(found, Subject(slug, title, at, campaign, names)))
    # By this one a publish knows what must not be served: it is there as long as any is.
    files = {_WHOLE: files[_WHOLE], **files}
    write_folder(out, files, again=True)
    click.echo(
        f"{out / 'README.md'}: {counted(len(files), 'file')}; keep this folder from the site"
    )


def _subject(connection: Any, slug: str) -> tuple[str, Any, list[str]]:
    """The title of a task, or of a campaign; the campaign, if it is one; and its tasks."""
    from grader import store
    from grader.errors import Mistake

    known = store.slugs(connection)
    of = {campaign.slug: campaign for campaign in store.campaigns(connection)}
    if slug in known or slug not in of:
        return store.registered(connection, slug).task.title, None, [slug]
    campaign = of[slug]
    slugs = [m.slug for m in campaign.tasks if m.slug in known and not m.dry_run]
    if not slugs:
        raise Mistake(
            f"no task of the campaign {slug!r} is registered yet, but for dry runs",
            mend=f"grader campaign show {slug}",
        )
    return campaign.title, campaign, slugs


def _room(out: Path, *, force: bool) -> None:
    """Mistake if the folder holds something already, or is a site's."""
    from grader.errors import Mistake
    from grader.publishing import MANIFEST

    whole = out.absolute()
    site = next((p for p in (whole, *whole.parents) if (p / MANIFEST).exists()), None)
    if site is not None:
        raise Mistake(
            f"{site} is a published site, and an overview tells what is right",
            mend="name a folder outside it with --overview",
        )
    if out.is_dir() and any(out.iterdir()) and not force:
        raise Mistake(
            f"{out} holds files already",
            mend="name another folder with --overview, or write over its files with --force",
        )
