"""Results that teams were handed before their phase showed them."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, insert, select

from grader.store.schema import handouts as table
from grader.store.tasks import task_number
from grader.store.teams import team_number


def hand_out(db: Connection, slug: str, phase: str, teams: Iterable[str], at: datetime) -> None:
    """Keep that teams were handed their results in a phase; Mistake for an unknown one."""
    row = {"task_id": task_number(db, slug), "phase": phase, "at": at}
    db.execute(insert(table), [row | {"team_id": team_number(db, team)} for team in teams])


def handed_out(db: Connection, slug: str, at: datetime) -> frozenset[str]:
    """The phases of a task of which teams were handed results by an instant."""
    mine = (table.c.task_id == task_number(db, slug), table.c.at <= at)
    return frozenset(db.scalars(select(table.c.phase).where(*mine)))
