"""Since when labels are known to others than organisers."""

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from grader.model import Disclosure
from grader.store.opening import sharing
from grader.store.registered import registered
from grader.store.schema import golds, handouts
from grader.store.tasks import task_number


def disclosures(db: Connection, slug: str) -> tuple[Disclosure, ...]:
    """How labels of a task became known, the earliest first.

    By a release of any version of its gold, or by results that teams were handed, which tell the
    part on which that phase is scored; and by either in another task with the same labels.
    """
    found = list(_own(db, slug))
    task = task_number(db, slug)
    told = select(golds.c.task_id).where(golds.c.released.is_not(None), golds.c.task_id != task)
    handed = select(handouts.c.task_id).where(handouts.c.task_id != task)
    if others := set(db.scalars(told.union(handed))):  # ids are compared only where they matter
        found += (
            Disclosure(one.at, f"{one.how} of {other.slug!r}, whose labels are the same")
            for other in sharing(db, slug, others)
            if other.same
            for one in _own(db, other.slug)
        )
    return tuple(sorted(found, key=lambda one: one.at))


def _own(db: Connection, slug: str) -> Iterator[Disclosure]:
    task = task_number(db, slug)
    released = select(golds.c.version, golds.c.released).where(
        golds.c.task_id == task, golds.c.released.is_not(None)
    )
    for row in db.execute(released.order_by(golds.c.version)):
        yield Disclosure(row.released, f"release of gold v{row.version}")
    first = func.min(handouts.c.at).label("at")
    handed = select(handouts.c.phase, first).where(handouts.c.task_id == task)
    rows = db.execute(handed.group_by(handouts.c.phase).order_by(handouts.c.phase)).all()
    phases = registered(db, slug).task if rows else None
    for name, at in rows:
        phase = phases and phases.phase(name)
        how = f"results{f' in phase {name!r}' if name else ''} handed to teams"
        yield Disclosure(at, how, phase.split if phase else "all")
