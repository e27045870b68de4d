"""What somebody objects to in a task, and what was answered."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from grader.errors import Mistake, not_before
from grader.model import Dispute
from grader.store.names import storable
from grader.store.runs import run_number
from grader.store.schema import disputes as table
from grader.store.schema import runs, tasks, teams
from grader.store.tasks import task_number
from grader.store.teams import team_number

LONGEST = 10_000  # characters of an objection, or of an answer


def add_dispute(db: Connection, task_slug: str, new: Dispute) -> int:
    """Keep an objection under the next number of its task, which is returned."""
    task = task_number(db, task_slug, lock=True)
    last = db.scalar(select(func.max(table.c.number)).where(table.c.task_id == task)) or 0
    row = {
        "task_id": task,
        "number": last + 1,
        "ident": new.instance,
        "run_id": None if new.run is None else run_number(db, task_slug, new.run),
        "team_id": None if new.team is None else team_number(db, new.team),
        "said": storable("the objection", new.said or "", LONGEST),
        "opened": new.opened,
    }
    db.execute(insert(table).values(row))
    return last + 1


def answer_dispute(
    db: Connection, task_slug: str, number: int, answer: str, at: datetime
) -> str | None:
    """Keep the answer to an objection; Mistake if there is no such number.

    returns  the run that it is about, if it is about one
    """
    task = task_number(db, task_slug, lock=True)
    mine = (table.c.task_id == task, table.c.number == number)
    if opened := db.scalar(select(table.c.opened).where(*mine)):
        not_before(at, opened, f"dispute {number} of {task_slug!r}")
    values = {"answer": storable("the answer", answer, LONGEST), "answered": at}
    if not db.execute(update(table).where(*mine).values(values)).rowcount:
        raise Mistake(
            f"there is no dispute {number} of {task_slug!r}",
            mend=f"grader dispute list {task_slug}",
        )
    of = select(runs.c.slug).join(table, table.c.run_id == runs.c.id)
    return db.scalar(of.where(*mine))


def disputes(db: Connection, wanted: ColumnElement[bool]) -> dict[int, list[Dispute]]:
    """The objections of some tasks in the order of their numbers, by a task's key."""
    found: dict[int, list[Dispute]] = defaultdict(list)
    for row in db.execute(
        select(table, runs.c.slug, teams.c.name.label("team"))
        .join(tasks, tasks.c.id == table.c.task_id)
        .outerjoin(runs, runs.c.id == table.c.run_id)
        .outerjoin(teams, teams.c.id == table.c.team_id)
        .where(wanted)
        .order_by(table.c.task_id, table.c.number)
    ):
        found[row.task_id].append(_read(row))
    return found


def _read(row: Row[Any]) -> Dispute:
    return Dispute(
        number=row.number,
        instance=row.ident,
        run=row.slug,
        team=row.team,
        said=row.said,
        opened=row.opened,
        answer=row.answer,
        answered=row.answered,
    )
