"""Gold versions that become public, and other tasks that would be given away with them."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, case, func, select, update

from grader.board import FEW
from grader.errors import Mistake
from grader.store.golds import gold_number
from grader.store.schema import golds, instances, tasks
from grader.store.tasks import task_number

_SAME = 0.9  # share of common ids with the same answers from which two golds are one


class Secret(NamedTuple):
    """A gold version with its commitment's key; ``released``: since when it is public."""

    version: int
    registered: datetime
    commitment: str
    salt: str
    released: datetime | None


class Shared(NamedTuple):
    """How many ids of a gold another task has too, and how many with the same right answers."""

    slug: str
    ids: int
    labels: int

    @property
    def same(self) -> bool:
        """Whether the labels of one are those of the other."""
        return self.ids >= FEW and self.labels >= _SAME * self.ids


def secrets(db: Connection, slug: str) -> tuple[Secret, ...]:
    """All gold versions of a task, the oldest first. For organisers, until they are released."""
    rows = db.execute(
        select(golds).where(golds.c.task_id == task_number(db, slug)).order_by(golds.c.version)
    )
    return tuple(
        Secret(r.version, r.registered, r.commitment, bytes(r.salt).hex(), r.released)
        for r in rows
    )


def release_gold(db: Connection, slug: str, version: int | None, at: datetime) -> Secret:
    """From an instant on a gold version (None: the newest) is public, for good.

    raises  Mistake, for an unknown task or version, or one that is public already
    """
    task_number(db, slug, lock=True)
    number = gold_number(db, slug, version)
    known = db.execute(select(golds).where(golds.c.id == number)).one()
    if known.released is not None:
        raise Mistake(
            f"gold v{known.version} of {slug!r} is public since "
            f"{known.released:%Y-%m-%d %H:%M:%S} UTC",
            mend=f"grader gold list {slug}",
        )
    db.execute(update(golds).where(golds.c.id == number).values(released=at))
    return next(s for s in secrets(db, slug) if s.version == known.version)


def sharing(db: Connection, slug: str, among: Collection[int] | None = None) -> tuple[Shared, ...]:
    """The other tasks whose newest gold has ids of this task's, in the order of registration.

    among  the keys of the tasks that are asked for; None: all
    """
    newest = select(func.max(golds.c.id)).group_by(golds.c.task_id)
    if among is not None:
        newest = newest.where(golds.c.task_id.in_(among))
    mine, other = instances.alias(), instances.alias()
    same = and_(mine.c.answers == other.c.answers, mine.c.answers != "[]")
    found = (
        select(tasks.c.slug, func.count(), func.sum(case((same, 1), else_=0)))
        .select_from(mine)
        .join(other, and_(other.c.ident == mine.c.ident, other.c.gold_id != mine.c.gold_id))
        .join(golds, golds.c.id == other.c.gold_id)
        .join(tasks, tasks.c.id == golds.c.task_id)
        .where(
            mine.c.gold_id == gold_number(db, slug),
            other.c.gold_id.in_(newest),
            tasks.c.slug != slug,
        )
        .group_by(tasks.c.id, tasks.c.slug)
        .order_by(tasks.c.id)
    )
    return tuple(Shared(name, ids, int(labels)) for name, ids, labels in db.execute(found))
