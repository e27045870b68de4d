"""Phases that close later than their task's file says, for one team or for all."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select

from grader.model import Extension, Task
from grader.store.names import storable
from grader.store.schema import extensions as table
from grader.store.schema import tasks, teams
from grader.store.tasks import task_number
from grader.store.teams import team_number


def extend(db: Connection, task_slug: str, new: Extension) -> None:
    """Keep when a phase closes from now on, in place of what was decided so before."""
    row = {
        "task_id": task_number(db, task_slug, lock=True),
        "phase": new.phase,
        "team_id": None if new.team is None else team_number(db, new.team),
        "closes": new.closes,
        "why": storable("the reason", new.why, 10_000),
        "at": new.at,
    }
    db.execute(insert(table).values(row))


def decided(db: Connection, wanted: ColumnElement[bool]) -> dict[int, list[Row[Any]]]:
    """What was decided of the phases of some tasks, the oldest first, by a task's key."""
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in db.execute(
        select(table, teams.c.name.label("team"))
        .join(tasks, tasks.c.id == table.c.task_id)
        .outerjoin(teams, teams.c.id == table.c.team_id)
        .where(wanted)
        .order_by(table.c.id)
    ):
        found[row.task_id].append(row)
    return found


def standing(task: Task, rows: Sequence[Row[Any]]) -> tuple[Extension, ...]:
    """The extensions of a task that stand: of each phase and team the last that was decided.

    In the order of the phases, each for all before those of teams. One that ends no later than
    the phase does without it extends nothing.

    task  as its file declares it
    """
    last = {(row.phase, row.team): row for row in rows}
    names = sorted({row.team for row in rows if row.team is not None})
    found: list[Extension] = []
    for phase in task.phases:
        closes = phase.closes
        for team in (None, *names):
            row = last.get((phase.name, team))
            if row is None or row.closes <= closes:
                continue
            made = Extension(phase.name, team, closes, row.closes, row.why, row.at)
            found.append(made)
            closes = made.closes if team is None else closes
    return tuple(found)


def extended(task: Task, found: Sequence[Extension], team: str | None = None) -> Task:
    """The task with its phases as they are for a team, or (None) for all."""
    closes = {e.phase: e.closes for e in found if e.team is None}
    closes |= {e.phase: e.closes for e in found if team is not None and e.team == team}
    if not closes:
        return task
    phases = (replace(p, closes=closes.get(p.name, p.closes)) for p in task.phases)
    return replace(task, phases=tuple(phases))
