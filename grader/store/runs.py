"""Runs: their bytes, kept once whoever sends them, and what is marked on them."""

import json
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, get_args

from sqlalchemy import Connection, Row, Select, exists, func, insert, select, update

from grader.model import Flag, Graded, Upload
from grader.store.about import about_text
from grader.store.engine import alone
from grader.store.golds import json_text
from grader.store.gradings import insert_grading
from grader.store.names import checked, harmless, unknown
from grader.store.pseudonyms import behind
from grader.store.schema import amendments, payloads, run_flags, runs, teams
from grader.store.tasks import task_number
from grader.store.teams import team, team_number

FLAGS: tuple[Flag, ...] = get_args(Flag)
_NAME, _PHASE = 200, 100


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
        "sha256": keep(db, upload.payload),
        "filename": harmless(upload.filename),
        "received": upload.received,
        "status": "held" if graded is None else "accepted",
        "content": graded.content if graded else None,
        "about": about_text(upload.about),
        "waived": json_text(upload.waived) if upload.waived else None,
    }
    run = db.execute(insert(runs).values(row).returning(runs.c.id)).scalar_one()
    _mark(db, run, upload)
    if graded is not None:
        insert_grading(db, (task_slug, run, gold_version), graded, settings, upload.received)
    return str(row["slug"]), True


def first(db: Connection, task_slug: str, upload: Upload, phases: Sequence[str]) -> str | None:
    """The slug of the run that an upload is again: the same bytes, name and team in a phase.

    Also bytes that the run had until it was amended. Of several phases the one that was sent
    last; None if it is another run.
    """
    digest = sha256(upload.payload).hexdigest()
    before = exists().where(amendments.c.run_id == runs.c.id, amendments.c.sha256 == digest)
    found = (
        select(runs.c.slug)
        .where(
            runs.c.task_id == task_number(db, task_slug),
            runs.c.team_id == team_number(db, upload.team),
            runs.c.phase.in_(phases),
            runs.c.name == upload.name.strip(),
            (runs.c.sha256 == digest) | before,
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


def keep(db: Connection, payload: bytes) -> str:
    """Keep bytes, once whoever sends them; return their SHA-256."""
    digest = sha256(payload).hexdigest()
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
    return int(run_row(db, task_slug, run_slug).id)


def payload(db: Connection, task_slug: str, run_slug: str) -> Upload:
    """A run as it came in; Mistake if there is no such run."""
    return _upload(db, run_row(db, task_slug, run_slug))


def _rows(task: int) -> Select[Any]:
    return (
        select(runs, teams.c.name.label("team"))
        .join(teams, teams.c.id == runs.c.team_id)
        .where(runs.c.task_id == task)
    )


def run_row(db: Connection, task_slug: str, run_slug: str) -> Row[Any]:
    """A run's row with the name of its team; Mistake if there is no such run.

    run_slug  its address, or the one that it has under a pseudonym
    """
    task = task_number(db, task_slug)
    mine = runs.c.slug == behind(db, task_slug, run_slug)
    row = db.execute(_rows(task).where(mine)).one_or_none()
    if row is None:
        known = db.scalars(select(runs.c.slug).where(runs.c.task_id == task)).all()
        raise unknown(db, "run", run_slug, known, f"grader run list {task_slug}")
    return row


def body(db: Connection, digest: str) -> bytes:
    """The bytes of a SHA-256 that are kept."""
    kept = db.execute(select(payloads.c.body).where(payloads.c.sha256 == digest)).scalar_one()
    return zlib.decompress(kept)


def _upload(db: Connection, row: Row[Any]) -> Upload:
    flags = set(db.scalars(select(run_flags.c.flag).where(run_flags.c.run_id == row.id)))
    return Upload(
        team=row.team,
        name=row.name,
        filename=row.filename,
        payload=body(db, row.sha256),
        received=row.received,
        flags=tuple(flag for flag in FLAGS if flag in flags),
        phase=row.phase,
        waived=tuple(json.loads(row.waived)) if row.waived else (),
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
