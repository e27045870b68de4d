"""Gold versions: written once, never changed, and bound by a commitment."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from sqlalchemy import Connection, Row, desc, func, insert, select

from grader.commitment import commitment
from grader.errors import Mistake
from grader.model import Drop, Gold, GoldSummary, Standing, Status, Subsets
from grader.store.engine import alone
from grader.store.names import storable
from grader.store.schema import dimensions, golds, instances
from grader.store.tasks import insert_task, task_number

# No longer, or PostgreSQL could not index them.
_ID, _NAME, _VALUE = 500, 100, 200

_Summed = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


def add_task(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, slug: str, config: str, gold: Gold, salt: bytes, at: datetime
) -> GoldSummary:
    """Keep a task, as the text of its task.toml, and its first gold; Mistake if it is there."""
    alone(db, "tasks")
    insert_task(db, slug, config, at)
    return add_gold(db, slug, gold, "first registered", salt, at)


def add_gold(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection,
    slug: str,
    gold: Gold,
    reason: str,
    salt: bytes,
    at: datetime,
    who: str = "organiser",
    seen: Mapping[str, int] = MappingProxyType({}),
) -> GoldSummary:
    """Keep a gold as the task's next version, whatever version it says it is.

    seen  the phases of which the public sees scores under the version before, with the decimals
    """
    task = task_number(db, slug, lock=True)
    last = db.scalar(select(func.max(golds.c.version)).where(golds.c.task_id == task))
    summary = GoldSummary(
        version=(last or 0) + 1,
        commitment=commitment(gold, salt),
        registered=at,
        reason=storable("the reason", reason, 10_000),
        n=len(gold.ids),
        scored=int(gold.scored.sum()),
        dimensions=_summed(gold),
        drops=tuple(_drops(gold, at)),
    )
    fields = ("version", "commitment", "registered", "reason", "n", "scored")
    row = {name: getattr(summary, name) for name in fields} | {"task_id": task, "salt": salt}
    row |= {"who": storable("a name", who, _ID), "seen": json_text(dict(seen))}
    number = db.execute(insert(golds).values(row).returning(golds.c.id)).scalar_one()
    for table, rows in (
        (dimensions, _dimension_rows(summary.dimensions)),
        (instances, list(_instance_rows(gold))),
    ):
        if rows:
            db.execute(insert(table), [row | {"gold_id": number} for row in rows])
    return summary


def json_text(value: object) -> str:
    """JSON in ASCII: floats keep every bit, and NumPy's numbers are numbers."""
    return json.dumps(value, separators=(",", ":"), default=lambda n: n.item())


def _value(subsets: Subsets, i: int) -> str | None:
    code = int(subsets.codes[i])
    return subsets.values[code] if code >= 0 else None


def _summed(gold: Gold) -> _Summed:
    """Each dimension's values with the number of scored instances that have it."""
    scored = gold.scored
    return tuple(
        (s.name, tuple((v, int((scored & (s.codes == k)).sum())) for k, v in enumerate(s.values)))
        for s in gold.subsets
    )


def _drops(gold: Gold, at: datetime) -> Iterator[Drop]:
    for name, s in zip(gold.ids, gold.standing, strict=True):
        if s.status == "dropped":
            yield Drop(name, s.reason, s.who, s.when or at, s.post_hoc)


def _dimension_rows(summed: _Summed) -> list[dict[str, Any]]:
    return [
        {
            "position": position,
            "name": storable("a dimension's name", name, _NAME),
            "labels": json_text([storable("a subset's name", v, _VALUE) for v, _ in values]),
            "counts": json_text([count for _, count in values]),
        }
        for position, (name, values) in enumerate(summed)
    ]


def _instance_rows(gold: Gold) -> Iterator[dict[str, Any]]:
    none = (None,) * len(gold.ids)
    columns: Iterable[tuple[Any, ...]] = zip(
        gold.ids,
        gold.answers,
        gold.clusters or none,
        gold.splits or none,
        gold.standing,
        gold.rejected or none,
        strict=True,
    )
    for i, (name, answers, cluster, split, standing, rejected) in enumerate(columns):
        inside = {s.name: value for s in gold.subsets if (value := _value(s, i)) is not None}
        yield {
            "position": i,
            "ident": storable("an id of the gold", name, _ID),
            "answers": json_text(answers),
            "rejected": None if rejected is None else json_text(rejected),
            "cluster": cluster and storable("a cluster of the gold", cluster, _ID),
            "split": split and storable("a split of the gold", split, _ID),
            "subsets": json_text(inside),
            "status": standing.status,
            "reason": storable("the reason", standing.reason, 10_000),
            "who": storable("a name", standing.who, _ID),
            "decided": standing.when,
            "post_hoc": standing.post_hoc,
        }


def gold(db: Connection, slug: str, version: int | None = None) -> tuple[Gold, str]:
    """A task's gold (None: its newest version) and its commitment."""
    found = _gold(db, slug, version)
    rows = db.execute(
        select(instances).where(instances.c.gold_id == found.id).order_by(instances.c.position)
    ).all()
    cuts = db.execute(
        select(dimensions.c.name, dimensions.c.labels)
        .where(dimensions.c.gold_id == found.id)
        .order_by(dimensions.c.position)
    )
    said = cache(json.loads)  # most of what is said of an instance is said of others too
    inside = [said(row.subsets) for row in rows]
    standings = tuple(
        Standing(cast("Status", r.status), r.reason, r.who, r.decided, r.post_hoc) for r in rows
    )
    read = Gold(
        ids=tuple(row.ident for row in rows),
        answers=tuple(tuple(said(row.answers)) for row in rows),
        subsets=tuple(_cut(name, json.loads(labels), inside) for name, labels in cuts),
        clusters=tuple(r.cluster for r in rows)
        if any(r.cluster is not None for r in rows)
        else (),
        splits=tuple(r.split for r in rows) if any(r.split is not None for r in rows) else (),
        standings=standings if set(standings) - {Standing()} else (),
        version=found.version,
        rejected=tuple(tuple(json.loads(r.rejected)) for r in rows)
        if any(r.rejected is not None for r in rows)
        else (),
    )
    return read, found.commitment


def _cut(name: str, values: list[str], inside: list[dict[str, str]]) -> Subsets:
    codes = {value: code for code, value in enumerate(values)}
    found = [codes[mine[name]] if name in mine else -1 for mine in inside]
    return Subsets(name, tuple(values), np.array(found, dtype=np.intp))


def gold_number(db: Connection, slug: str, version: int | None = None) -> int:
    """The key of a gold version's row (None: the newest); Mistake if there is none."""
    return int(_gold(db, slug, version).id)


def _gold(db: Connection, slug: str, version: int | None) -> Row[Any]:
    found = select(golds).where(golds.c.task_id == task_number(db, slug))
    if version is not None:
        found = found.where(golds.c.version == version)
    row = db.execute(found.order_by(desc(golds.c.version)).limit(1)).one_or_none()
    if row is None:
        raise Mistake(
            f"the task {slug!r} has no gold version {version}", mend=f"grader task show {slug}"
        )
    return row
