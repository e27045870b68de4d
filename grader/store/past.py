"""What a team sent before, as quotas see it: runs, promises, refused uploads."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, Exists, and_, exists, func, insert, not_, select

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


def past(db: Connection, task_slug: str, team: str, again: Upload | None = None) -> Past:
    """All that a team sent to a task, but for an earlier refusal of what is sent ``again``.

    A door that was stopped after it refused a file sends the file again with the same instant.
    """
    task, who = task_number(db, task_slug), team_number(db, team)

    def marked(flag: str) -> Exists:
        return exists().where(run_flags.c.run_id == runs.c.id, run_flags.c.flag == flag)

    beyond = func.coalesce(runs.c.waived, "").contains('"quota"')
    columns = (runs.c.phase, runs.c.received, marked("withdrawn"), marked("late"), beyond)
    mine = select(*columns).where(runs.c.task_id == task, runs.c.team_id == who)
    no = select(refusals.c.at).where(refusals.c.task_id == task, refusals.c.team_id == who)
    if again is not None:
        no = no.where(not_(and_(*(refusals.c[name] == said for name, said in _same(again)))))
    promised = select(commitments.c.phase, commitments.c.sha256).where(
        commitments.c.task_id == task, commitments.c.team_id == who
    )
    return Past(
        tuple(Sent(*row) for row in db.execute(mine.order_by(runs.c.id))),
        tuple(db.scalars(no.order_by(refusals.c.id))),
        frozenset((phase, digest) for phase, digest in db.execute(promised)),
    )


def _same(upload: Upload) -> tuple[tuple[str, object], ...]:
    """What two refusals share that are one."""
    digest = sha256(upload.payload).hexdigest()
    said = harmless(upload.filename), digest, upload.received
    return tuple(zip(("filename", "sha256", "at"), said, strict=True))


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
    """Keep that an upload was refused and why, with a remark for organisers; not the bytes.

    The same file of the same instant again is kept once: its door was stopped in between.
    """
    mine = {
        "task_id": task_number(db, task_slug, lock=True),
        "team_id": team_number(db, upload.team),
        **dict(_same(upload)),
    }
    if db.scalar(select(refusals.c.id).filter_by(**mine)) is not None:
        return
    row = {
        **mine,
        "codes": json_text(dict(Counter(problem.code for problem in found))),
        "remark": storable("the remark", remark, 1000),
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


ASKED = 500  # ids in one query: both databases have a limit of what one may carry


def elsewhere(db: Connection, task_slug: str, ids: Sequence[str]) -> str:
    """Of which gold at least half of the ids are, as a remark for organisers; empty if of none.

    Looked through are the golds of all tasks in any version.

    ids  such as are not in the task's gold as it is now
    """
    wanted = [name for name in dict.fromkeys(ids) if _known(name)]
    found: Counter[str] = Counter()
    for start in range(0, len(wanted), ASKED):
        some = instances.c.ident.in_(wanted[start : start + ASKED])
        rows = (
            select(tasks.c.slug, func.count(instances.c.ident.distinct()))
            .join(golds, golds.c.task_id == tasks.c.id)
            .join(instances, instances.c.gold_id == golds.c.id)
            .where(some)
            .group_by(tasks.c.id, tasks.c.slug)
            .order_by(tasks.c.id)
        )
        for slug, many in db.execute(rows):
            found[slug] += many
    many = len(set(ids))
    if not found or 2 * (best := found.most_common(1)[0])[1] < many:
        return ""
    of = "earlier gold of this task" if best[0] == task_slug else f"task {best[0]!r}"
    return f"{best[1]} of {many} ids that are not in the gold are of the {of}"


def _known(name: str) -> bool:
    """Whether a gold could have such an id; another one PostgreSQL would not even look for."""
    return "\0" not in name and not any("\ud800" <= letter <= "\udfff" for letter in name)
