"""Runs: their bytes, kept once whoever sends them, and what is marked on them."""

import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, cast, get_args

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from grader.model import Flag, Graded, Upload
from grader.store.engine import alone
from grader.store.gradings import insert_grading
from grader.store.names import checked, harmless, storable, unknown
from grader.store.schema import payloads, run_flags, runs, teams
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
    digest = sha256(upload.payload).hexdigest()
    mine = (runs.c.task_id == task, runs.c.team_id == team_id)
    same = (runs.c.phase == phase, runs.c.name == name, runs.c.sha256 == digest)
    if (found := db.scalar(select(runs.c.slug).where(*mine, *same))) is not None:
        return found, False
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
    }
    run = db.execute(insert(runs).values(row).returning(runs.c.id)).scalar_one()
    _mark(db, run, upload)
    if graded is not None:
        insert_grading(db, (task_slug, run, gold_version), graded, settings, upload.received)
    return str(row["slug"]), True


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


def named(db: Connection, task_slug: str, sha256: str) -> tuple[tuple[str, str], ...]:
    """Team and name of every run of a task with these bytes, the oldest first."""
    found = (
        select(teams.c.name, runs.c.name)
        .join(runs, runs.c.team_id == teams.c.id)
        .where(runs.c.task_id == task_number(db, task_slug), runs.c.sha256 == sha256)
        .order_by(runs.c.id)
    )
    return tuple((team, name) for team, name in db.execute(found))


def uploads(db: Connection, task_slug: str) -> Iterator[tuple[str, Upload]]:
    """Every run of a task as it came in, withdrawn and held ones too, the oldest first.

    One body is in memory at a time, and writing in between is allowed.
    """
    task = task_number(db, task_slug)
    for row in db.execute(_rows(task).order_by(runs.c.id)).all():
        yield row.slug, _upload(db, row)


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
    run = int(_run(db, task_slug, run_slug).id)
    db.execute(update(runs).where(runs.c.id == run).values(status="accepted"))
    insert_grading(db, (task_slug, run, gold_version), graded, settings, at)


def flag(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, task_slug: str, run_slug: str, flag: Flag, why: str, at: datetime
) -> None:
    """Mark a run, and say why; a mark it has already gets the new reason."""
    task_number(db, task_slug, lock=True)  # two at once would both insert
    run = int(_run(db, task_slug, run_slug).id)
    values = {"why": storable("the reason", why, 10_000), "at": at}
    mark = (run_flags.c.run_id == run, run_flags.c.flag == cast("str", flag))
    if not db.execute(update(run_flags).where(*mark).values(values)).rowcount:
        db.execute(insert(run_flags).values(values | {"run_id": run, "flag": flag}))


def is_held(db: Connection, task_slug: str, run_slug: str) -> bool:
    """Whether a run waits to be scored."""
    run = int(_run(db, task_slug, run_slug).id)
    return db.scalar(select(runs.c.status).where(runs.c.id == run)) == "held"


def flags(db: Connection, task_slug: str, run_slug: str) -> Mapping[Flag, str]:
    """A run's marks, each with its reason."""
    run = int(_run(db, task_slug, run_slug).id)
    rows = db.execute(select(run_flags.c.flag, run_flags.c.why).where(run_flags.c.run_id == run))
    return {cast("Flag", flag): str(why) for flag, why in rows}
