"""What is marked on a run, and what its team says of it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, delete, insert, select, update

from grader.model import About, Flag
from grader.store.about import about_text
from grader.store.names import storable
from grader.store.runs import run_number
from grader.store.schema import run_flags, runs
from grader.store.tasks import task_number


def flag(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, task_slug: str, run_slug: str, flag: Flag, why: str, at: datetime
) -> None:
    """Mark a run, and say why; a mark it has already gets the new reason."""
    task_number(db, task_slug, lock=True)  # two at once would both insert
    run = run_number(db, task_slug, run_slug)
    values = {"why": storable("the reason", why, 10_000), "at": at}
    mark = (run_flags.c.run_id == run, run_flags.c.flag == cast("str", flag))
    if not db.execute(update(run_flags).where(*mark).values(values)).rowcount:
        db.execute(insert(run_flags).values(values | {"run_id": run, "flag": flag}))


def is_held(db: Connection, task_slug: str, run_slug: str) -> bool:
    """Whether a run waits to be scored."""
    run = run_number(db, task_slug, run_slug)
    return db.scalar(select(runs.c.status).where(runs.c.id == run)) == "held"


def flags(db: Connection, task_slug: str, run_slug: str) -> Mapping[Flag, str]:
    """A run's marks, each with its reason."""
    run = run_number(db, task_slug, run_slug)
    rows = db.execute(select(run_flags.c.flag, run_flags.c.why).where(run_flags.c.run_id == run))
    return {cast("Flag", flag): str(why) for flag, why in rows}


def unflag(db: Connection, task_slug: str, run_slugs: Iterable[str], flag: Flag) -> None:
    """Take a mark off runs, where it is on them."""
    task_number(db, task_slug, lock=True)
    numbers = [run_number(db, task_slug, slug) for slug in run_slugs]
    mark = (run_flags.c.run_id.in_(numbers), run_flags.c.flag == cast("str", flag))
    db.execute(delete(run_flags).where(*mark))


def describe(db: Connection, task_slug: str, run_slug: str, about: About) -> None:
    """Keep what a team says of a run, in place of what it said before."""
    run = run_number(db, task_slug, run_slug)
    db.execute(update(runs).where(runs.c.id == run).values(about=about_text(about)))
