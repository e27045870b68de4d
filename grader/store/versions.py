"""Gold versions side by side, each with what it changed."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy import Connection, Row, Select, and_, func, or_, select

from grader.model import Drop, Standing, Status, Version
from grader.store.schema import golds, instances, runs, tasks
from grader.store.tasks import task_number

_ASKED = 500  # ids in one query: both databases have a limit of what one may carry


def versions(db: Connection, slugs: Sequence[str]) -> dict[str, tuple[Version, ...]]:
    """All gold versions of tasks, the oldest first, each with what it changed."""
    many = _runs_by_then(db)
    counts = _counts(db, slugs)
    found: dict[str, list[Version]] = defaultdict(list)
    rows = (
        select(tasks.c.slug, golds)
        .join(golds, golds.c.task_id == tasks.c.id)
        .where(tasks.c.slug.in_(slugs))
        .order_by(tasks.c.id, golds.c.version)
    )
    for row in db.execute(rows):
        before = found[row.slug][-1] if found[row.slug] else None
        found[row.slug].append(_version(row, counts[row.id], before, many.get(row.id, 0)))
    return {slug: tuple(each) for slug, each in found.items()}


@dataclass(slots=True)
class _Counts:
    """How the instances of a version differ from those of the one before it."""

    of: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    dropped: list[Drop] = field(default_factory=list)
    restored: list[Drop] = field(default_factory=list)
    post_hoc: bool = False


def _version(row: Row[Any], counts: _Counts, before: Version | None, runs: int) -> Version:
    added = counts.of["added"]
    return Version(
        version=row.version,
        registered=row.registered,
        reason=row.reason,
        who=row.who or "",
        commitment=row.commitment,
        n=row.n,
        scored=row.scored,
        runs=runs,
        labels=counts.of["labels"],
        moved=counts.of["moved"],
        judged=counts.of["judged"],
        unjudged=counts.of["unjudged"],
        added=added,
        removed=before.n + added - row.n if before else 0,
        dropped=tuple(counts.dropped),
        restored=tuple(counts.restored),
        post_hoc=counts.post_hoc,
        seen=json.loads(row.seen or "{}"),
    )


def _runs_by_then(db: Connection) -> dict[int, int]:
    """How many runs of its task were in when a gold version came, by its key."""
    in_time = and_(runs.c.task_id == golds.c.task_id, runs.c.received <= golds.c.registered)
    many = func.count(runs.c.id).label("many")
    rows = select(golds.c.id, many).join(runs, in_time).group_by(golds.c.id)
    return {row.id: row.many for row in db.execute(rows)}


def _counts(db: Connection, slugs: Sequence[str]) -> dict[int, _Counts]:
    """By a gold's key: in what its instances differ, found by the database."""
    found: dict[int, _Counts] = defaultdict(_Counts)
    for row in db.execute(_differing(slugs)):
        counts = found[row.gold_id]
        if row.was is None:
            counts.of["added"] += 1
            continue
        for what in _changes(row):
            counts.of[what] += 1
        drop = Drop(row.ident, row.reason, row.who, row.decided or row.registered, row.post_hoc)
        if row.status != row.was and "dropped" in (row.status, row.was):
            (counts.dropped if row.status == "dropped" else counts.restored).append(drop)
        counts.post_hoc |= row.post_hoc and row.decided == row.registered
    return found


def _changes(row: Row[Any]) -> Iterator[str]:
    if (row.answers, row.rejected) != (row.answers_before, row.rejected_before):
        yield "judged" if _judged_further(row) else "labels"
    inside, before = json.loads(row.subsets), json.loads(row.subsets_before)
    if (inside, row.cluster, row.split) != (before, row.cluster_before, row.split_before):
        yield "moved"
    if (row.was, row.status) == ("unjudged", "scored"):
        yield "judged"
    if (row.was, row.status) == ("scored", "unjudged"):
        yield "unjudged"


def _judged_further(row: Row[Any]) -> bool:
    """Whether in a judged task more answers are judged, and none in another way."""
    if row.rejected is None or row.rejected_before is None:
        return False
    pairs = ((row.answers, row.answers_before), (row.rejected, row.rejected_before))
    return all({*json.loads(before)} <= {*json.loads(now)} for now, before in pairs)


def _differing(slugs: Sequence[str]) -> Select[Any]:
    """Instances of which a version says something else than the one before it, or that are new."""
    older, before, new = golds.alias(), instances.alias(), instances.alias()
    columns = ("answers", "rejected", "cluster", "split", "subsets")
    other = or_(
        before.c.ident.is_(None),
        new.c.status != before.c.status,
        *(new.c[name].is_distinct_from(before.c[name]) for name in columns),
    )
    of_older = and_(older.c.task_id == golds.c.task_id, older.c.version == golds.c.version - 1)
    same = and_(before.c.gold_id == older.c.id, before.c.ident == new.c.ident)
    then = (before.c[name].label(f"{name}_before") for name in columns)
    return (
        select(new, golds.c.registered, before.c.status.label("was"), *then)
        .join(golds, golds.c.id == new.c.gold_id)
        .join(tasks, tasks.c.id == golds.c.task_id)
        .join(older, of_older)
        .outerjoin(before, same)
        .where(tasks.c.slug.in_(slugs), other)
        .order_by(new.c.gold_id, new.c.position)
    )


def standings_before(db: Connection, slug: str, ids: Sequence[str]) -> dict[str, Standing]:
    """Where instances stood when they were last not dropped, by id: counting, or unjudged."""
    found: dict[str, Standing] = {}
    for start in range(0, len(ids), _ASKED):
        rows = (
            select(instances.c.ident, instances.c.status)
            .join(golds, golds.c.id == instances.c.gold_id)
            .where(
                golds.c.task_id == task_number(db, slug),
                instances.c.ident.in_(ids[start : start + _ASKED]),
                instances.c.status != "dropped",
            )
            .order_by(golds.c.version)
        )
        found |= {name: Standing(cast("Status", status)) for name, status in db.execute(rows)}
    return found


def runs_in(db: Connection, slug: str) -> int:
    """How many runs of a task are in, withdrawn and held ones too."""
    of = runs.c.task_id == task_number(db, slug)
    return int(db.scalar(select(func.count()).select_from(runs).where(of)) or 0)


def run_numbers(db: Connection, slug: str) -> dict[str, int]:
    """The keys of the rows of a task's runs, by their slugs."""
    of = runs.c.task_id == task_number(db, slug)
    return {row.slug: row.id for row in db.execute(select(runs.c.slug, runs.c.id).where(of))}
