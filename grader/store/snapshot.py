"""All that may be shown, in ten queries whatever the number of tasks and runs."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from grader.model import (
    Drop,
    Entry,
    Flag,
    GoldSummary,
    Graded,
    Results,
    Score,
    Share,
    Snapshot,
    Split,
)
from grader.store.campaigns import campaigns
from grader.store.gradings import read_graded, read_score
from grader.store.names import unknown
from grader.store.namings import namings
from grader.store.runs import FLAGS, read_about
from grader.store.schema import (
    dimensions,
    golds,
    gradings,
    instances,
    payloads,
    run_flags,
    runs,
    scores,
    tasks,
    teams,
)
from grader.store.tasks import slugs as registered
from grader.tasks import parse

_Cut = tuple[str, tuple[tuple[str, int], ...]]  # a dimension, and its values with their counts


def snapshot(db: Connection, as_of: datetime, slugs: Sequence[str] | None = None) -> Snapshot:
    """Every task (or those named, in that order) with its newest gold and its runs.

    Runs stand in the order they came; one without scores under the newest gold has none here.
    """
    wanted = tasks.c.slug.in_(slugs) if slugs is not None else tasks.c.id == tasks.c.id
    newest = select(func.max(golds.c.id)).group_by(golds.c.task_id)
    found = db.execute(
        select(tasks.c.slug, tasks.c.config, golds)
        .join(golds, golds.c.task_id == tasks.c.id)
        .where(wanted, golds.c.id.in_(newest))
        .order_by(tasks.c.id)
    ).all()
    rows = {row.slug: row for row in found}
    order = list(rows) if slugs is None else list(dict.fromkeys(slugs))
    for slug in order:
        if slug not in rows:
            raise unknown(db, "task", slug, registered(db), "grader task list")
    summaries = _summaries(db, found, newest)
    entries = _entries(db, wanted, newest)
    called = namings(db, wanted)
    results = (
        Results(
            parse(rows[slug].config, slug),
            summaries[rows[slug].id],
            tuple(entries[rows[slug].task_id]),
            namings=called.get(rows[slug].task_id, ()),
        )
        for slug in order
    )
    return Snapshot(tuple(results), as_of, campaigns(db))


def _summaries(
    db: Connection, rows: Sequence[Row[Any]], newest: Select[Any]
) -> dict[int, GoldSummary]:
    """By a gold's key."""
    cuts: dict[int, list[_Cut]] = defaultdict(list)
    for row in db.execute(
        select(dimensions)
        .where(dimensions.c.gold_id.in_(newest))
        .order_by(dimensions.c.gold_id, dimensions.c.position)
    ):
        pairs = zip(json.loads(row.labels), json.loads(row.counts), strict=True)
        cuts[row.gold_id].append((row.name, tuple(pairs)))
    splits = _splits(db, cuts, newest)
    registered = {row.id: row.registered for row in rows}
    drops: dict[int, list[Drop]] = defaultdict(list)
    for row in db.execute(
        select(instances)
        .where(instances.c.gold_id.in_(newest), instances.c.status == "dropped")
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
        )
        for row in rows
    }


def _splits(
    db: Connection, cuts: Mapping[int, Sequence[_Cut]], newest: Select[Any]
) -> dict[int, dict[Split, Share]]:
    """How many scored instances each part of a gold has, in all and by subset; by a gold's key."""
    counts: dict[tuple[int, Split], Counter[tuple[str, str] | None]] = defaultdict(Counter)
    for row in db.execute(
        select(instances.c.gold_id, instances.c.split, instances.c.subsets, func.count())
        .where(
            instances.c.gold_id.in_(newest),
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


def _entries(
    db: Connection, wanted: ColumnElement[bool], newest: Select[Any]
) -> dict[int, list[Entry]]:
    """By a task's key."""
    graded = _gradings(db, wanted, newest)
    flags = _flags(db, wanted)
    found: dict[int, list[Entry]] = defaultdict(list)
    for row in db.execute(
        select(runs, teams.c.name.label("team"), payloads.c.size)
        .join(teams, teams.c.id == runs.c.team_id)
        .join(payloads, payloads.c.sha256 == runs.c.sha256)
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(wanted)
        .order_by(runs.c.id)
    ):
        grading, settings = graded.get(row.id, (None, ""))
        entry = Entry(
            slug=row.slug,
            team=row.team,
            name=row.name,
            phase=row.phase,
            filename=row.filename,
            size=row.size,
            sha256=row.sha256,
            received=row.received,
            flags={flag: flags[row.id][flag] for flag in FLAGS if flag in flags[row.id]},
            graded=grading,
            settings=settings,
            about=read_about(row.about),
        )
        found[row.task_id].append(entry)
    return found


def _flags(db: Connection, wanted: ColumnElement[bool]) -> dict[int, dict[Flag, str]]:
    """Each run's flags with their reasons, by the run's key."""
    found: dict[int, dict[Flag, str]] = defaultdict(dict)
    for row in db.execute(
        select(run_flags)
        .join(runs, runs.c.id == run_flags.c.run_id)
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(wanted)
    ):
        found[row.run_id][row.flag] = row.why
    return found


def _gradings(
    db: Connection, wanted: ColumnElement[bool], newest: Select[Any]
) -> dict[int, tuple[Graded, str]]:
    """Each run's scores under the newest gold, and their settings, by the run's key."""
    mine = gradings.c.gold_id.in_(
        select(golds.c.id)
        .join(tasks, tasks.c.id == golds.c.task_id)
        .where(wanted, golds.c.id.in_(newest))
    )
    found: dict[int, list[Score]] = defaultdict(list)
    for row in db.execute(
        select(scores)
        .join(gradings, gradings.c.id == scores.c.grading_id)
        .where(mine)
        .order_by(scores.c.grading_id, scores.c.position)
    ):
        found[row.grading_id].append(read_score(row))
    rows = db.execute(select(gradings).where(mine))
    return {row.run_id: (read_graded(row, found[row.id]), row.settings) for row in rows}
