"""Results that teams were handed instance by instance."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from grader.store.schema import handouts as table
from grader.store.tasks import task_number
from grader.store.teams import team_number


def hand_out(db: Connection, slug: str, phase: str, teams: Iterable[str], at: datetime) -> None:
    """Keep that teams were handed results in a phase, "" for none; Mistake for an unknown team."""
    row = {"task_id": task_number(db, slug), "phase": phase, "at": at}
    db.execute(insert(table), [row | {"team_id": team_number(db, team)} for team in teams])


def first_handed_out(db: Connection, slug: str, phase: str, at: datetime) -> datetime | None:
    """When a team was first handed results in a phase; None if none was by an instant."""
    mine = (table.c.task_id == task_number(db, slug), table.c.phase == phase, table.c.at <= at)
    return db.scalar(select(func.min(table.c.at)).where(*mine))
