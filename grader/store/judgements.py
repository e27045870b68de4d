"""Who judges, and what they said: rows are added, never changed.

Of what a judge said of a unit the last row stands.
"""

import json
import shlex
from collections.abc import Iterable
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import ColumnElement, Connection, func, insert, select

from grader.errors import Mistake
from grader.model import Judge, Judgement, Unit
from grader.store.golds import json_text
from grader.store.names import checked, folded, storable
from grader.store.schema import golds
from grader.store.schema import judgements as said
from grader.store.schema import judges as table
from grader.store.tasks import task_number

_NAME, _LABEL, _NUMBER = 100, 200, 100
_Kind = Literal["person", "model", "pipeline"]


def add_judge(db: Connection, slug: str, judge: Judge, at: datetime) -> Judge:
    """Keep who judges a task, once; the judge as known before, if so.

    raises  Mistake, for a name that cannot be, or that is known as of another kind or prompt
    """
    name = checked("judge's name", judge.name, _NAME)
    mine = folded(name)
    known = next((j for j in judges(db, slug) if folded(j.name) == mine), None)
    if known is None:
        row = {"task_id": task_number(db, slug, lock=True), "name": name, "folded": mine}
        db.execute(insert(table).values(row | _how(judge) | {"at": at}))
        return Judge(name, judge.kind, judge.prompt)
    if _how(known) != _how(judge):
        raise Mistake(
            f"{known.name!r} has judged {slug!r} as a {_called(known)}, and not as a "
            f"{_called(judge)}: give another name",
            mend=f"grader judge list {slug}; then --judge {shlex.quote(name + ' 2')}",
        )
    return known


def _how(judge: Judge) -> dict[str, str]:
    return {"kind": judge.kind, "prompt": judge.prompt}


def _called(judge: Judge) -> str:
    return f"{judge.kind} with the prompt {judge.prompt[:12]}" if judge.prompt else judge.kind


def judges(db: Connection, slug: str) -> tuple[Judge, ...]:
    """Everybody who judged a task, in the order in which they came."""
    found = (
        select(table.c.name, table.c.kind, table.c.prompt)
        .where(table.c.task_id == task_number(db, slug))
        .order_by(table.c.id)
    )
    return tuple(
        Judge(name, cast("_Kind", kind), prompt) for name, kind, prompt in db.execute(found)
    )


def add_judgements(db: Connection, slug: str, found: Iterable[Judgement]) -> None:
    """Keep what judges said, in this order, beside all that they said before."""
    task = task_number(db, slug, lock=True)
    known = select(table.c.name, table.c.id).where(table.c.task_id == task)
    numbers = {row.name: row.id for row in db.execute(known)}
    rows = [
        {
            "task_id": task,
            "judge_id": numbers[one.judge],
            "ident": one.unit.id,
            "answer": one.unit.answer,
            "run": one.unit.run,
            "label": storable("a label", one.label, _LABEL),
            "columns": json_text(
                {storable("a column's name", n, _NUMBER): v for n, v in one.columns.items()}
            ),
            "why": storable("the reason", one.why, 10_000),
            "at": one.at,
        }
        for one in found
    ]
    if rows:
        db.execute(insert(said), rows)


def judgements(db: Connection, slug: str) -> tuple[Judgement, ...]:
    """What stands: the last judgement of each judge of each unit, the oldest first."""
    mine = said.c.task_id == task_number(db, slug)
    of = (said.c.judge_id, said.c.ident, said.c.answer, said.c.run)
    return _read(db, said.c.id.in_(select(func.max(said.c.id)).where(mine).group_by(*of)))


def every_judgement(db: Connection, slug: str) -> tuple[Judgement, ...]:
    """All that was ever said, the oldest first."""
    return _read(db, said.c.task_id == task_number(db, slug))


def _read(db: Connection, which: ColumnElement[bool]) -> tuple[Judgement, ...]:
    rows = (
        select(
            *(said.c.ident, said.c.answer, said.c.run, table.c.name, said.c.label),
            *(said.c.columns, said.c.why, said.c.at),
        )
        .join(table, table.c.id == said.c.judge_id)
        .where(which)
        .order_by(said.c.id)
    )
    return tuple(
        Judgement(
            Unit(row.ident, row.answer, row.run),
            row.name,
            row.label,
            row.at,
            row.why,
            json.loads(row.columns) if row.columns != "{}" else {},
        )
        for row in db.execute(rows)
    )


def blinding(db: Connection, slug: str) -> bytes:
    """What the keys of a task's units are made with: the secret of its first gold version."""
    first = (
        select(golds.c.salt)
        .where(golds.c.task_id == task_number(db, slug))
        .order_by(golds.c.version)
    )
    return bytes(db.scalars(first.limit(1)).one())
