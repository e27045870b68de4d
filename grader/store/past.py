"""What a team sent before, as quotas see it: runs, promises, refused uploads."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, Exists, exists, func, insert, select

from grader.errors import Mistake
from grader.model import Past, Problem, Refusal, Sent, Upload
from grader.store.golds import json_text
from grader.store.names import harmless, storable
from grader.store.schema import (
    commitments,
    golds,
    instances,
    refusals,
    run_flags,
    runs,
    tasks,
    teams,
)
from grader.store.tasks import task_number
from grader.store.teams import team_number


def past(db: Connection, task_slug: str, team: str) -> Past:
    """All that a team sent to a task."""
    task, who = task_number(db, task_slug), team_number(db, team)

    def marked(flag: str) -> Exists:
        return exists().where(run_flags.c.run_id == runs.c.id, run_flags.c.flag == flag)

    columns = (runs.c.phase, runs.c.received, marked("withdrawn"), marked("late"))
    mine = select(*columns).where(runs.c.task_id == task, runs.c.team_id == who)
    no = select(refusals.c.at).where(refusals.c.task_id == task, refusals.c.team_id == who)
    promised = select(commitments.c.phase, commitments.c.sha256).where(
        commitments.c.task_id == task, commitments.c.team_id == who
    )
    return Past(
        tuple(Sent(*row) for row in db.execute(mine.order_by(runs.c.id))),
        tuple(db.scalars(no.order_by(refusals.c.id))),
        frozenset((phase, digest) for phase, digest in db.execute(promised)),
    )


PROMISES = 100  # digests that a team may promise in a phase


def promise(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, task_slug: str, team: str, phase: str, digest: str, at: datetime
) -> None:
    """Keep the SHA-256 of bytes that a team will send; once is enough.

    raises  Mistake, for more than PROMISES of a team in a phase
    """
    task, who = task_number(db, task_slug, lock=True), team_number(db, team)
    mine = past(db, task_slug, team).committed
    if (phase, digest) in mine:
        return
    if sum(name == phase for name, _ in mine) >= PROMISES:
        raise Mistake(f"a team may promise {PROMISES} files in a phase, and these are promised")
    row = {"task_id": task, "team_id": who, "phase": phase, "sha256": digest, "at": at}
    db.execute(insert(commitments).values(row))


def refuse(
    db: Connection, task_slug: str, upload: Upload, found: Iterable[Problem], remark: str
) -> None:
    """Keep that an upload was refused and why, with a remark for organisers; not the bytes."""
    row = {
        "task_id": task_number(db, task_slug, lock=True),
        "team_id": team_number(db, upload.team),
        "filename": harmless(upload.filename),
        "sha256": sha256(upload.payload).hexdigest(),
        "codes": json_text(dict(Counter(problem.code for problem in found))),
        "remark": storable("the remark", remark, 1000),
        "at": upload.received,
    }
    db.execute(insert(refusals).values(row))


def refused(db: Connection, task_slug: str) -> tuple[Refusal, ...]:
    """Every upload to a task that was refused, the oldest first."""
    found = (
        select(refusals, teams.c.name.label("team"))
        .join(teams, teams.c.id == refusals.c.team_id)
        .where(refusals.c.task_id == task_number(db, task_slug))
        .order_by(refusals.c.id)
    )
    return tuple(
        Refusal(row.team, row.filename, row.sha256, row.at, json.loads(row.codes), row.remark)
        for row in db.execute(found)
    )


def elsewhere(db: Connection, task_slug: str, ids: Sequence[str]) -> str:
    """Which other task most of the ids are of, as a remark for organisers; empty if none."""
    if not ids:
        return ""
    newest = select(func.max(golds.c.id)).group_by(golds.c.task_id)
    many = func.count()
    found = (
        select(tasks.c.slug, many)
        .join(golds, golds.c.task_id == tasks.c.id)
        .join(instances, instances.c.gold_id == golds.c.id)
        .where(golds.c.id.in_(newest), tasks.c.slug != task_slug, instances.c.ident.in_(ids))
        .group_by(tasks.c.id, tasks.c.slug)
        .order_by(many.desc(), tasks.c.id)
    )
    best = db.execute(found).first()
    if best is None or 2 * best[1] < len(ids):
        return ""
    return f"{best[1]} of {len(ids)} ids that are none of this task are of the task {best[0]!r}"
