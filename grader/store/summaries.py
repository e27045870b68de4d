"""Gold versions without their answers."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Connection, Row, Select, func, select

from grader.model import Drop, GoldSummary, Share, Split
from grader.store.schema import dimensions, instances

_Cut = tuple[str, tuple[tuple[str, int], ...]]  # a dimension, and its values with their counts


def summaries(
    db: Connection, rows: Sequence[Row[Any]], chosen: Select[Any]
) -> dict[int, GoldSummary]:
    """Each gold's summary by its key: of ``rows`` of golds, whose keys are ``chosen``."""
    cuts: dict[int, list[_Cut]] = defaultdict(list)
    for row in db.execute(
        select(dimensions)
        .where(dimensions.c.gold_id.in_(chosen))
        .order_by(dimensions.c.gold_id, dimensions.c.position)
    ):
        pairs = zip(json.loads(row.labels), json.loads(row.counts), strict=True)
        cuts[row.gold_id].append((row.name, tuple(pairs)))
    splits = _splits(db, cuts, chosen)
    registered = {row.id: row.registered for row in rows}
    drops: dict[int, list[Drop]] = defaultdict(list)
    for row in db.execute(
        select(instances)
        .where(instances.c.gold_id.in_(chosen), instances.c.status == "dropped")
        .order_by(instances.c.gold_id, instances.c.position)
    ):
        if row.gold_id in registered:
            when = row.decided or registered[row.gold_id]
            drops[row.gold_id].append(Drop(row.ident, row.reason, row.who, when, row.post_hoc))
    return {
        row.id: GoldSummary(
            version=row.version,
            commitment=row.commitment,
            registered=row.registered,
            reason=row.reason,
            n=row.n,
            scored=row.scored,
            dimensions=tuple(cuts[row.id]),
            drops=tuple(drops[row.id]),
            splits=splits[row.id],
            released=row.released,
        )
        for row in rows
    }


def _splits(
    db: Connection, cuts: Mapping[int, Sequence[_Cut]], chosen: Select[Any]
) -> dict[int, dict[Split, Share]]:
    """How many scored instances each part of a gold has, in all and by subset; by a gold's key."""
    counts: dict[tuple[int, Split], Counter[tuple[str, str] | None]] = defaultdict(Counter)
    for row in db.execute(
        select(instances.c.gold_id, instances.c.split, instances.c.subsets, func.count())
        .where(
            instances.c.gold_id.in_(chosen),
            instances.c.status == "scored",
            instances.c.split.is_not(None),
        )
        .group_by(instances.c.gold_id, instances.c.split, instances.c.subsets)
    ):
        gold, split, subsets, n = row
        for cut in (None, *json.loads(subsets).items()):
            counts[gold, cast("Split", split)][cut] += n
    found: dict[int, dict[Split, Share]] = defaultdict(dict)
    for (gold, split), mine in counts.items():
        dimensions = tuple(
            (name, tuple((value, mine[name, value]) for value, _ in values))
            for name, values in cuts.get(gold, ())
        )
        found[gold][split] = Share(mine[None], dimensions)
    return found
