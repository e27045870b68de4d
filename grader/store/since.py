"""What was done to runs after they came in, of which their rows tell no more."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, Row, select

from grader.model import Flag, Mark, Since
from grader.store.log import Verb
from grader.store.schema import golds, gradings, log, log_runs, runs, tasks

_MARKED: tuple[Verb, ...] = ("run flag", "run restore", "run withdraw")
_KINDS: tuple[Flag, ...] = ("primary", "contrastive", "baseline")
_SAID = re.compile(rf".+? (no longer )?({'|'.join(_KINDS)})(?: instead of (.*))?")


def since(db: Connection, slugs: Sequence[str]) -> dict[str, Since]:
    """What was done to the runs of tasks since they came in, by the task's slug."""
    marks, scored = _marks(db, slugs), _scored(db, slugs)
    return {slug: Since(tuple(marks[slug]), scored[slug]) for slug in slugs}


def _marks(db: Connection, slugs: Sequence[str]) -> dict[str, list[Mark]]:
    """What the logs of tasks say of flags, the oldest first."""
    found: dict[str, list[Mark]] = defaultdict(list)
    for row in db.execute(
        select(tasks.c.slug.label("task"), log.c.verb, log.c.what, log.c.at, log_runs.c.position)
        .add_columns(runs.c.slug)
        .join(log, log.c.task_id == tasks.c.id)
        .join(log_runs, log_runs.c.log_id == log.c.id)
        .join(runs, runs.c.id == log_runs.c.run_id)
        .where(tasks.c.slug.in_(slugs), log.c.verb.in_(_MARKED))
        .order_by(log.c.id, log_runs.c.position)
    ):
        found[row.task].extend(_marks_of(row))
    return found


def _marks_of(line: Row[Any]) -> Iterator[Mark]:
    """Yield what a line of the log says of one of the runs that it names."""
    if line.verb != "run flag":
        yield Mark(line.slug, "withdrawn", line.verb == "run withdraw", line.at)
    elif line.position:
        yield Mark(line.slug, "primary", on=False, at=line.at)  # another is, in its place
    elif said := _SAID.fullmatch(line.what):
        yield Mark(line.slug, cast("Flag", said[2]), said[1] is None, line.at)
        gone = (said[3] or "").split(", ")  # of its own flags, or runs that had this one
        yield from (Mark(line.slug, kind, on=False, at=line.at) for kind in _KINDS if kind in gone)


def _scored(db: Connection, slugs: Sequence[str]) -> dict[str, dict[tuple[int, str], datetime]]:
    """When runs were last scored again, other than for a gold version that was new."""
    found: dict[str, dict[tuple[int, str], datetime]] = defaultdict(dict)
    for slug, version, run, at in db.execute(
        select(tasks.c.slug, golds.c.version, runs.c.slug, gradings.c.at)
        .join(golds, golds.c.task_id == tasks.c.id)
        .join(gradings, gradings.c.gold_id == golds.c.id)
        .join(runs, runs.c.id == gradings.c.run_id)
        .where(
            tasks.c.slug.in_(slugs),
            gradings.c.at > runs.c.received,
            gradings.c.at > golds.c.registered,
        )
    ):
        found[slug][version, run] = at
    return found
