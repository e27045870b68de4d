"""Runs whose file organisers put another in the place of; every version stays."""

from collections import defaultdict
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from grader.errors import Mistake
from grader.model import Amendment, Upload
from grader.store.golds import gold_number, json_text
from grader.store.names import harmless, storable
from grader.store.runs import body, keep, run_row
from grader.store.schema import amendments as table
from grader.store.schema import gradings, runs, tasks
from grader.store.tasks import task_number


def amend(db: Connection, task_slug: str, run_slug: str, new: Upload, old: Amendment) -> int:
    """Put other bytes in the place of a run's, which is held from now on.

    Its scores under the newest gold are gone; those under earlier ones are of the bytes that it
    had, and stay. ``old`` is what it had, and why it has it no longer.

    returns  the number of its version now, counted from 1, as it was sent
    """
    task_number(db, task_slug, lock=True)
    run = run_row(db, task_slug, run_slug).id
    gone = {"sha256": old.sha256, "filename": old.filename}
    why = storable("the reason", old.why, 10_000)
    db.execute(insert(table).values(gone | {"run_id": run, "why": why, "at": old.at}))
    values = {
        "sha256": keep(db, new.payload),
        "filename": harmless(new.filename),
        "status": "held",
        "content": None,
        "waived": json_text(new.waived) if new.waived else None,
    }
    db.execute(update(runs).where(runs.c.id == run).values(values))
    newest = gold_number(db, task_slug)
    mine = (gradings.c.run_id == run, gradings.c.gold_id == newest)
    db.execute(delete(gradings).where(*mine))
    many = select(func.count()).select_from(table).where(table.c.run_id == run)
    return int(db.scalar(many) or 0) + 1


def amended(db: Connection, wanted: ColumnElement[bool]) -> dict[int, list[Amendment]]:
    """The files that runs of some tasks had before, the oldest first, by a run's key."""
    found: dict[int, list[Amendment]] = defaultdict(list)
    for row in db.execute(
        select(table)
        .join(runs, runs.c.id == table.c.run_id)
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(wanted)
        .order_by(table.c.id)
    ):
        found[row.run_id].append(_read(row))
    return found


def file_version(
    db: Connection, task_slug: str, run_slug: str, number: int | None = None
) -> tuple[str, bytes]:
    """The file name and bytes of a run, as it was sent (1), amended once (2), or (None) now.

    raises  Mistake, if there is no such run or version
    """
    row = run_row(db, task_slug, run_slug)
    rows = db.execute(select(table).where(table.c.run_id == row.id).order_by(table.c.id))
    every = [(old.filename, old.sha256) for old in rows] + [(row.filename, row.sha256)]
    if number is not None and not 1 <= number <= len(every):
        is_ = "is 1 version" if len(every) == 1 else f"are versions 1 to {len(every)}"
        raise Mistake(f"there is no version {number} of {run_slug}: there {is_}")
    filename, digest = every[number - 1 if number else -1]
    return filename, body(db, digest)


def _read(row: Row[Any]) -> Amendment:
    return Amendment(row.sha256, row.filename, row.why, row.at)
