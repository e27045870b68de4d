"""Stored runs compared: what a site shows beside its scores, made when it is published."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from grader import store
from grader.board import Viewer, boards, closed, phased, rank, visible
from grader.errors import Mistake
from grader.family import Views, beside, families
from grader.grade import overlooking, viewed
from grader.itemising import opened
from grader.judging.witness import witnessed
from grader.model import (
    BoolArray,
    Gold,
    Judged,
    Reinstated,
    Rejected,
    Results,
    Snapshot,
    Task,
)
from grader.sensitivity import sensitivity
from grader.store import Connection


def views(
    db: Connection, slug: str, runs: Sequence[str], *, dropped: bool = False
) -> tuple[Task, Gold, Views]:
    """Stored runs of a task as measures see them: as they were graded, or from their bytes.

    dropped  whether dropped instances count too
    raises   Mistake, for an unknown one, or where two are of different phases
    """
    now = store.registered(db, slug)
    found: dict[str, tuple[Judged, BoolArray]] = {}
    phases: dict[str, str] = {}
    kept = store.stored_views(db, slug, runs) if dropped else {}
    for run in runs:
        if run in kept:
            phase, found[run] = kept[run]
            phases.setdefault(phase, run)
            continue
        upload = store.payload(db, slug, run)
        phases.setdefault(upload.phase, run)
        task = overlooking(now.task, upload.waived)
        view = viewed(task, now.gold, upload.payload, upload.phase, dropped=dropped)
        if isinstance(view, Rejected):
            raise Mistake(f"{run!r} breaks a rule of the task: {view.problems[0].message}")
        found[run] = view
    if len(phases) > 1:
        said = ", ".join(f"{run} of {phase or 'none'!r}" for phase, run in phases.items())
        raise Mistake(f"runs of different phases are not compared: {said}")
    return now.task, now.gold, found


def compared(db: Connection, results: Results) -> Results:
    """The results of a phase, or of a task without any, with the runs of each board compared.

    And with their ranks if a dropped instance counted. Ranked runs are compared, and each is
    read once.
    """
    cuts = results.gold.dimensions
    subsets = ("all", *(f"{name}={value}" for name, each in cuts for value, n in each if n))
    ranks = {
        subset: tuple(row.entry.slug for row in board.ranked)
        for subset, board in boards(results, subsets).items()
    }
    every = tuple(dict.fromkeys(run for ranked in ranks.values() for run in ranked))
    task, gold, whole = views(db, results.task.slug, every, dropped=True)
    scored = gold.scored
    seen = {run: (judged, counted & scored) for run, (judged, counted) in whole.items()}
    rows = {
        subset: beside(task, gold, seen[ranked[0]], ranked[0], subset)
        for subset, ranked in ranks.items()
        if subset != "all" and ranked
    }
    return replace(
        results,
        versus=families(task, gold, seen, ranks),
        beside={s: made for s, made in rows.items() if made},
        dropped=reinstated(results, gold, whole, ranks["all"]),
    )


def reinstated(
    results: Results, gold: Gold, whole: Views, ranked: Sequence[str]
) -> tuple[Reinstated, ...]:
    """The ranks of a board if a dropped instance counted, at its decimals."""
    part = results.phase.split if results.phase else "all"
    return sensitivity(results.task, gold, whole, ranked, part)


def put_back(db: Connection, slug: str, at: datetime) -> tuple[Results, ...]:
    """The results of each phase of a task as organisers see them, with ``dropped`` filled in."""
    found = []
    for results in phased(store.snapshot(db, at, [slug]).tasks[0]):
        ranked = tuple(row.entry.slug for row in rank(results).ranked)
        _, gold, whole = views(db, slug, ranked, dropped=True)
        found.append(replace(results, dropped=reinstated(results, gold, whole, ranked)))
    return tuple(found)


def public(db: Connection, at: datetime) -> Snapshot:
    """All that a site shows: what the public may see, and the ranked runs of a phase compared.

    They are ranked as the public sees them, and what the comparisons say goes through the same
    gate.
    """
    return _shown(db, at, "public")


def everything(db: Connection, at: datetime) -> Snapshot:
    """The same for organisers: all runs of all phases, and the gold, released or not."""
    return _shown(db, at, "organisers")


def _shown(db: Connection, at: datetime, viewer: Viewer) -> Snapshot:
    seen = visible(store.with_past(db, store.snapshot(db, at)), viewer)
    every = viewer == "organisers"
    parts = (part for whole in seen.tasks for part in phased(whole))
    tasks = tuple(
        opened(db, witnessed(db, compared(db, part)), at, every=every)
        for part in ((_closed(part, at) for part in parts) if every else parts)
    )
    return visible(replace(seen, tasks=tasks), viewer)


def _closed(results: Results, at: datetime) -> Results:
    """The results of a phase with its board as of the close, as organisers see it."""
    made = closed(results, lambda then: then, lambda _: True, at)
    return replace(results, since=None, closed=made)
