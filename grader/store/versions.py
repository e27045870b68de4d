"""Gold versions side by side, and what runs scored under those that are no longer the newest."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from sqlalchemy import Connection, Row, Select, and_, exists, func, or_, select

from grader.board import lead
from grader.model import Drop, Entry, Graded, Results, Score, Snapshot, Standing, Status, Version
from grader.store.gradings import read_score
from grader.store.releases import releases
from grader.store.schema import golds, gradings, instances, runs, scores, tasks
from grader.store.summaries import summaries
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
        yield "labels"
    inside, before = json.loads(row.subsets), json.loads(row.subsets_before)
    if (inside, row.cluster, row.split) != (before, row.cluster_before, row.split_before):
        yield "moved"
    if (row.was, row.status) == ("unjudged", "scored"):
        yield "judged"
    if (row.was, row.status) == ("scored", "unjudged"):
        yield "unjudged"


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


def with_past(db: Connection, snapshot: Snapshot) -> Snapshot:
    """The snapshot with gold versions, the results under each but the newest, and releases.

    Of the past runs have the scores alone that rank them, on every board.
    """
    slugs = [results.task.slug for results in snapshot.tasks]
    known, earlier = versions(db, slugs), _earlier(db, snapshot.tasks)
    frozen = releases(db, known)
    return replace(
        snapshot,
        tasks=tuple(
            replace(
                results,
                versions=known[results.task.slug],
                earlier=earlier.get(results.task.slug, ()),
                releases=frozen.get(results.task.slug, ()),
            )
            for results in snapshot.tasks
        ),
    )


def _earlier(db: Connection, found: Sequence[Results]) -> dict[str, tuple[Results, ...]]:
    """The results under earlier versions of the gold, the oldest first, by the task's slug."""
    newer = golds.alias()
    later = and_(newer.c.task_id == golds.c.task_id, newer.c.version > golds.c.version)
    old = select(golds.c.id).where(exists().where(later))
    rows = db.execute(
        select(tasks.c.slug, golds)
        .join(golds, golds.c.task_id == tasks.c.id)
        .where(golds.c.id.in_(old), tasks.c.slug.in_([r.task.slug for r in found]))
        .order_by(tasks.c.id, golds.c.version)
    ).all()
    if not rows:
        return {}
    now = {results.task.slug: results for results in found}
    golds_of = summaries(db, rows, old)
    keys = {slug: _leading(results) for slug, results in now.items()}
    scored = _scored(db, old, sorted({key for each in keys.values() for key in each}))
    made: dict[str, list[Results]] = defaultdict(list)
    for row in rows:
        results, mine = now[row.slug], scored[row.id]
        entries = (_then(e, mine.get(e.slug), keys[row.slug]) for e in results.entries)
        plain = replace(results, gold=golds_of[row.id], entries=tuple(entries), namings=())
        made[row.slug].append(plain)
    return {slug: tuple(each) for slug, each in made.items()}


def _leading(results: Results) -> frozenset[str]:
    """The keys of the measures that rank the board of a task and those of its subsets."""
    return frozenset((lead(results).key, lead(results, "a subset").key))


def _then(entry: Entry, scored: tuple[Graded, str] | None, keys: frozenset[str]) -> Entry:
    """A run with its scores of the past."""
    if scored is None:
        return replace(entry, graded=None, settings="")
    graded, settings = scored
    kept = tuple(s for s in graded.scores if s.measure in keys)
    return replace(entry, graded=replace(graded, scores=kept), settings=settings)


_Scored = Mapping[int, Mapping[str, tuple[Graded, str]]]  # by a gold's key and a run's slug


def _scored(db: Connection, old: Select[Any], keys: Sequence[str]) -> _Scored:
    """What runs scored by some measures under some versions, with its settings."""
    each: dict[int, list[Score]] = defaultdict(list)
    for row in db.execute(
        select(scores)
        .join(gradings, gradings.c.id == scores.c.grading_id)
        .where(gradings.c.gold_id.in_(old), scores.c.measure.in_(keys))
        .order_by(scores.c.grading_id, scores.c.position)
    ):
        each[row.grading_id].append(read_score(row))
    found: dict[int, dict[str, tuple[Graded, str]]] = defaultdict(dict)
    columns = ("id", "gold_id", "n", "of", "right", "abstained", "settings")
    for row in db.execute(
        select(runs.c.slug, *(gradings.c[name] for name in columns))
        .join(runs, runs.c.id == gradings.c.run_id)
        .where(gradings.c.gold_id.in_(old))
    ):
        graded = Graded(tuple(each[row.id]), (), (), row.n, row.of, row.right, row.abstained)
        found[row.gold_id][row.slug] = graded, row.settings
    return found


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
