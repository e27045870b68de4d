"""Whether anything still depends on labels being secret."""

from collections.abc import Iterator
from datetime import datetime

from grader import store
from grader.board import over
from grader.model import Results, Split
from grader.store import Connection
from grader.store.opening import Shared, sharing


def pending(results: Results, at: datetime, part: Split = "all") -> Iterator[str]:
    """Yield what of a task still takes runs, now or later, that are scored on a part of its gold.

    A phase is over when it has closed for the last team, and promised files can no longer come.
    Without phases a task takes runs at any time.
    """
    task = results.task
    if not task.phases:
        yield f"{task.slug!r} has no phases, so it takes runs at any time"
    for phase in task.phases:
        if part != "all" and phase.split not in ("all", part):
            continue
        if at < (last := over(phase, results.extensions)):
            verb = "is open" if phase.opens <= at else "is still to come"
            until = f"{last:%Y-%m-%d %H:%M:%S} UTC"
            yield f"phase {phase.name!r} of {task.slug!r} {verb} and takes runs until {until}"


def entangled(db: Connection, slug: str, at: datetime) -> tuple[list[str], list[str]]:
    """The other tasks that have ids of this one.

    returns  what of those with the same gold still takes runs, and a word on each of the others
    """
    waits: list[str] = []
    shares: list[str] = []
    for one in sharing(db, slug):
        other = store.snapshot(db, at, [one.slug]).tasks[0]
        found = list(pending(other, at)) if one.same else []
        waits += [f"{said}, and has {_many(one)}" for said in found]
        if not found:
            shares.append(f"task {one.slug!r} has {_many(one)}")
    return waits, shares


def _many(one: Shared) -> str:
    return f"{one.ids} of the ids, {one.labels} of them with the same answers"
