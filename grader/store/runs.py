"""Runs: their bytes, kept once whoever sends them, and what is marked on them."""

import json
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, get_args
from urllib.parse import urlsplit

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from grader.errors import Mistake
from grader.model import About, Flag, Graded, Upload
from grader.store.engine import alone
from grader.store.golds import json_text
from grader.store.gradings import insert_grading
from grader.store.names import checked, harmless, storable, unknown
from grader.store.schema import payloads, run_flags, runs, teams
from grader.store.tasks import task_number
from grader.store.teams import team, team_number

FLAGS: tuple[Flag, ...] = get_args(Flag)
_NAME, _PHASE = 200, 100
_TEXT, _LINE = 10_000, 2000  # characters of a run's description, of a link or resource
_SOURCES = 50  # links, or resources, of a run
_NO_LINK = set(" <>\"'\\^`{|}")  # they have no place in an address


def add_run(  # noqa: PLR0913, PLR0917, it is one row and its parts
    db: Connection,
    task_slug: str,
    upload: Upload,
    graded: Graded | None,
    settings: str,
    gold_version: int,
) -> tuple[str, bool]:
    """Keep a run; return its slug and whether it is new.

    The same bytes again from the same team, under the same name in the same phase, are the
    same run: nothing is stored. ``graded`` None: the scorer broke, the run is held.
    """
    name = checked("run name", upload.name, _NAME)
    phase = checked("phase", upload.phase, _PHASE) if upload.phase else ""
    task, team_id = task_number(db, task_slug, lock=True), team_number(db, upload.team)
    digest = sha256(upload.payload).hexdigest()
    if (found := first(db, task_slug, upload, (phase,))) is not None:
        return found, False
    mine = (runs.c.task_id == task, runs.c.team_id == team_id)
    number = (db.scalar(select(func.max(runs.c.number)).where(*mine)) or 0) + 1
    row = {
        "task_id": task,
        "team_id": team_id,
        "phase": phase,
        "name": name,
        "number": number,
        "slug": f"{team(db, upload.team).slug}-{number}",
        "sha256": _keep(db, upload.payload, digest),
        "filename": harmless(upload.filename),
        "received": upload.received,
        "status": "held" if graded is None else "accepted",
        "content": graded.content if graded else None,
        "about": about_text(upload.about),
    }
    run = db.execute(insert(runs).values(row).returning(runs.c.id)).scalar_one()
    _mark(db, run, upload)
    if graded is not None:
        insert_grading(db, (task_slug, run, gold_version), graded, settings, upload.received)
    return str(row["slug"]), True


def first(db: Connection, task_slug: str, upload: Upload, phases: Sequence[str]) -> str | None:
    """The slug of the run that an upload is again: the same bytes, name and team in a phase.

    Of several phases the one that was sent last; None if it is another run.
    """
    found = (
        select(runs.c.slug)
        .where(
            runs.c.task_id == task_number(db, task_slug),
            runs.c.team_id == team_number(db, upload.team),
            runs.c.phase.in_(phases),
            runs.c.name == upload.name.strip(),
            runs.c.sha256 == sha256(upload.payload).hexdigest(),
        )
        .order_by(runs.c.id.desc())
    )
    return db.scalars(found).first()


def _mark(db: Connection, run: int, upload: Upload) -> None:
    """The flags that a run came with."""
    marks = [
        {"run_id": run, "flag": flag, "why": "", "at": upload.received}
        for flag in dict.fromkeys(upload.flags)
    ]
    if marks:
        db.execute(insert(run_flags), marks)


def _keep(db: Connection, payload: bytes, digest: str) -> str:
    alone(db, digest)  # another task may be sent the same bytes at this moment
    if db.scalar(select(payloads.c.size).where(payloads.c.sha256 == digest)) is None:
        row = {"sha256": digest, "size": len(payload), "body": zlib.compress(payload)}
        db.execute(insert(payloads).values(row))
    return digest


def alike(
    db: Connection, task_slug: str, team: str, digest: str, content: str
) -> tuple[tuple[str, bool], ...]:
    """The runs of a team with these bytes, or with this content in another order of lines.

    returns  the name of each, and whether it has the same bytes; the oldest first
    """
    found = (
        select(runs.c.name, runs.c.sha256)
        .where(
            runs.c.task_id == task_number(db, task_slug),
            runs.c.team_id == team_number(db, team),
            (runs.c.sha256 == digest) | (runs.c.content == content),
        )
        .order_by(runs.c.id)
    )
    return tuple((name, sha == digest) for name, sha in db.execute(found))


def namesakes(db: Connection, task_slug: str, upload: Upload) -> tuple[str, ...]:
    """The slugs of a team's runs of the same name in the same phase, the oldest first."""
    found = (
        select(runs.c.slug)
        .where(
            runs.c.task_id == task_number(db, task_slug),
            runs.c.team_id == team_number(db, upload.team),
            runs.c.phase == upload.phase,
            runs.c.name == upload.name.strip(),
        )
        .order_by(runs.c.id)
    )
    return tuple(db.scalars(found))


def uploads(db: Connection, task_slug: str) -> Iterator[tuple[str, Upload]]:
    """Every run of a task as it came in, withdrawn and held ones too, the oldest first.

    One body is in memory at a time, and writing in between is allowed.
    """
    task = task_number(db, task_slug)
    for row in db.execute(_rows(task).order_by(runs.c.id)).all():
        yield row.slug, _upload(db, row)


def run_number(db: Connection, task_slug: str, run_slug: str) -> int:
    """The key of a run's row; Mistake if there is no such run."""
    return int(_run(db, task_slug, run_slug).id)


def payload(db: Connection, task_slug: str, run_slug: str) -> Upload:
    """A run as it came in; Mistake if there is no such run."""
    return _upload(db, _run(db, task_slug, run_slug))


def _rows(task: int) -> Select[Any]:
    return (
        select(runs, teams.c.name.label("team"))
        .join(teams, teams.c.id == runs.c.team_id)
        .where(runs.c.task_id == task)
    )


def _run(db: Connection, task_slug: str, run_slug: str) -> Row[Any]:
    task = task_number(db, task_slug)
    row = db.execute(_rows(task).where(runs.c.slug == run_slug)).one_or_none()
    if row is None:
        known = db.scalars(select(runs.c.slug).where(runs.c.task_id == task)).all()
        raise unknown(db, "run", run_slug, known, f"grader run list {task_slug}")
    return row


def _upload(db: Connection, row: Row[Any]) -> Upload:
    body = db.execute(select(payloads.c.body).where(payloads.c.sha256 == row.sha256)).scalar_one()
    flags = set(db.scalars(select(run_flags.c.flag).where(run_flags.c.run_id == row.id)))
    return Upload(
        team=row.team,
        name=row.name,
        filename=row.filename,
        payload=zlib.decompress(body),
        received=row.received,
        flags=tuple(flag for flag in FLAGS if flag in flags),
        phase=row.phase,
    )


def add_grading(  # noqa: PLR0913, PLR0917, it is one row and its parts
    db: Connection,
    task_slug: str,
    run_slug: str,
    gold_version: int,
    graded: Graded,
    settings: str,
    at: datetime,
) -> None:
    """Put these scores in place of the run's under that gold version; a held run is accepted."""
    run = run_number(db, task_slug, run_slug)
    changed = {"status": "accepted", "content": graded.content}
    db.execute(update(runs).where(runs.c.id == run).values(changed))
    insert_grading(db, (task_slug, run, gold_version), graded, settings, at)


def about_text(about: About) -> str | None:
    """The column that holds what a team says of a run.

    raises  Mistake, if it is too much, or a link leads to no page of the web
    """
    if about == About():
        return None
    if max(len(about.links), len(about.resources)) > _SOURCES:
        raise Mistake(f"a run has at most {_SOURCES} links and {_SOURCES} resources")
    text = storable("the description", about.text, _TEXT)
    links = [_link(link) for link in about.links]
    return json_text([text, links, [checked("resource", r, _LINE) for r in about.resources]])


def _link(typed: str) -> str:
    """A link to a page of the web: whoever sees it on the site may follow it."""
    link = checked("link", typed, _LINE)
    try:
        parts = urlsplit(link)
        web = parts.scheme in ("http", "https") and parts.hostname and not set(link) & _NO_LINK
    except ValueError:  # a host in brackets that is none
        web = False
    if not web:
        raise Mistake(f"{link[:80]!r} is no link: one begins with http:// or https:// and a host")
    return link


def read_about(text: str | None) -> About:
    """What a team said of a run, from the column that holds it."""
    if not text:
        return About()
    said, links, resources = json.loads(text)
    return About(said, tuple(links), tuple(resources))
