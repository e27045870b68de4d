"""The past of tasks: what runs scored under versions of the gold that are no longer the newest."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, exists, select

from grader.board import lead
from grader.model import Entry, Graded, Results, Snapshot, Task
from grader.store.releases import releases
from grader.store.schema import golds, gradings, runs, scorecards, tasks
from grader.store.scorecards import read_scores
from grader.store.since import since
from grader.store.summaries import summaries
from grader.store.versions import versions


def with_past(db: Connection, snapshot: Snapshot) -> Snapshot:
    """The snapshot with gold versions, the results under each but the newest, and releases.

    And, of tasks of which a phase is over, with what was done to runs since they came. Of the past
    runs have the scores alone that rank them, on every board.
    """
    slugs = [results.task.slug for results in snapshot.tasks]
    known, earlier = versions(db, slugs), _earlier(db, snapshot.tasks)
    frozen = releases(db, known)
    over = [r.task.slug for r in snapshot.tasks if _over(r.task, snapshot.as_of)]
    done = since(db, over) if over else {}
    return replace(
        snapshot,
        tasks=tuple(
            replace(
                results,
                versions=known[results.task.slug],
                earlier=earlier.get(results.task.slug, ()),
                releases=frozen.get(results.task.slug, ()),
                since=done.get(results.task.slug),
            )
            for results in snapshot.tasks
        ),
    )


def _over(task: Task, at: datetime) -> bool:
    """Whether a phase of a task is."""
    return any(phase.closes <= at for phase in task.phases)


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
    found: dict[int, dict[str, tuple[Graded, str]]] = defaultdict(dict)
    columns = ("gold_id", "n", "of", "right", "abstained", "settings")
    for row in db.execute(
        select(runs.c.slug, scorecards.c.body, *(gradings.c[name] for name in columns))
        .join(runs, runs.c.id == gradings.c.run_id)
        .join(scorecards, scorecards.c.grading_id == gradings.c.id)
        .where(gradings.c.gold_id.in_(old))
    ):
        scores = tuple(s for s in read_scores(row.body) if s.measure in keys)
        graded = Graded(scores, (), (), row.n, row.of, row.right, row.abstained)
        found[row.gold_id][row.slug] = graded, row.settings
    return found
