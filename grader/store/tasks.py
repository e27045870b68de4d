"""Tasks, each the text of its task.toml."""

from datetime import datetime

from sqlalchemy import Connection, Row, insert, select, update

from grader.errors import Mistake
from grader.store.names import storable, unknown
from grader.store.schema import tasks

_LONGEST = 1_000_000  # letters of a task.toml


def slugs(db: Connection) -> tuple[str, ...]:
    """The tasks' addresses, in the order of their registration."""
    return tuple(db.scalars(select(tasks.c.slug).order_by(tasks.c.id)))


def config(db: Connection, slug: str, *, lock: bool = False) -> str:
    """The text of a task's task.toml; Mistake if there is no such task.

    ``lock``: until the transaction ends nobody else adds a run, a gold or a text to the task.
    """
    return str(_task(db, slug, lock=lock).config)


def set_config(db: Connection, slug: str, config: str, at: datetime) -> None:
    """Put another text in place of a task's task.toml."""
    number = task_number(db, slug, lock=True)
    text = storable("the task's file", config, _LONGEST)
    db.execute(update(tasks).where(tasks.c.id == number).values(config=text, changed=at))


def insert_task(db: Connection, slug: str, config: str, at: datetime) -> None:
    """A task's row, still without a gold; Mistake if there is one already."""
    if slug in slugs(db):
        raise Mistake(f"there is already a task {slug!r}", mend="grader task update DIR")
    row = {"slug": slug, "config": storable("the task's file", config, _LONGEST)}
    db.execute(insert(tasks).values(row | {"created": at, "changed": at}))


def task_number(db: Connection, slug: str, *, lock: bool = False) -> int:
    """The key of a task's row; Mistake if there is no such task."""
    return int(_task(db, slug, lock=lock).id)


def _task(db: Connection, slug: str, *, lock: bool) -> Row[int, str]:
    found = select(tasks.c.id, tasks.c.config).where(tasks.c.slug == slug)
    row = db.execute(found.with_for_update() if lock else found).one_or_none()
    if row is None:
        raise unknown(db, "task", slug, slugs(db), "grader task list")
    return row
