"""All that may be shown, in twelve queries whatever the number of tasks and runs.

There are two more where a phase has pseudonyms.
"""

import hmac
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from grader.model import (
    Dispute,
    Entry,
    Flag,
    GoldSummary,
    Graded,
    Naming,
    Results,
    Snapshot,
    Task,
)
from grader.store.about import read_about
from grader.store.amendments import amended
from grader.store.campaigns import campaigns
from grader.store.disputes import disputes
from grader.store.extensions import decided, extended, standing
from grader.store.golds import gold_number
from grader.store.gradings import read_graded
from grader.store.namings import namings
from grader.store.pseudonyms import pseudonyms
from grader.store.runs import FLAGS
from grader.store.schema import (
    golds,
    gradings,
    payloads,
    run_flags,
    runs,
    scorecards,
    tasks,
    teams,
)
from grader.store.summaries import summaries
from grader.tasks import parse


def snapshot(
    db: Connection,
    as_of: datetime,
    slugs: Sequence[str] | None = None,
    version: int | None = None,
) -> Snapshot:
    """Every task (or those named, in that order) with its newest gold and its runs.

    Runs stand in the order they came; one without scores under that gold has none here.

    version  of the gold, in place of the newest: of tasks that have such a version
    """
    wanted = tasks.c.slug.in_(slugs) if slugs is not None else tasks.c.id == tasks.c.id
    chosen = select(func.max(golds.c.id)).group_by(golds.c.task_id)
    if version is not None:
        chosen = select(golds.c.id).where(golds.c.version == version)
    found = db.execute(
        select(tasks.c.slug, tasks.c.config, golds)
        .join(golds, golds.c.task_id == tasks.c.id)
        .where(wanted, golds.c.id.in_(chosen))
        .order_by(tasks.c.id)
    ).all()
    rows = {row.slug: row for row in found}
    order = list(rows) if slugs is None else list(dict.fromkeys(slugs))
    for slug in order:
        if slug not in rows:
            gold_number(db, slug, version)  # says what there is not
    golds_of = summaries(db, found, chosen)
    known = {row.task_id: parse(row.config, row.slug) for row in found}
    entries = _entries(db, wanted, chosen, known)
    said = _Said(namings(db, wanted), decided(db, wanted), disputes(db, wanted))
    results = (
        said.of(known[row.task_id], row, golds_of[row.id], tuple(entries[row.task_id]))
        for row in map(rows.__getitem__, order)
    )
    return Snapshot(tuple(results), as_of, campaigns(db))


class _Said(NamedTuple):
    """What was decided and disputed, by a task's key."""

    namings: Mapping[int, tuple[Naming, ...]]
    decided: Mapping[int, Sequence[Row[Any]]]
    disputes: Mapping[int, Sequence[Dispute]]

    def of(
        self, task: Task, row: Row[Any], gold: GoldSummary, entries: tuple[Entry, ...]
    ) -> Results:
        """The results of the task that a row is of."""
        key = row.task_id
        found = standing(task, self.decided.get(key, ()))
        return Results(
            extended(task, found),
            gold,
            entries,
            namings=self.namings.get(key, ()),
            extensions=found,
            disputes=tuple(self.disputes.get(key, ())),
            seal=hmac.digest(row.salt, b"seal", "sha256"),
        )


def _entries(
    db: Connection, wanted: ColumnElement[bool], chosen: Select[Any], known: Mapping[int, Task]
) -> dict[int, list[Entry]]:
    """By a task's key."""
    graded = _gradings(db, wanted, chosen)
    flags, before = _flags(db, wanted), amended(db, wanted)
    found: dict[int, list[Entry]] = defaultdict(list)
    rows = db.execute(_sent(wanted)).all()
    others = pseudonyms(db, known, rows)
    for row in rows:
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
            waived=tuple(json.loads(row.waived)) if row.waived else (),
            amendments=tuple(before.get(row.id, ())),
            consent=row.consent is True,
            team_slug=row.team_slug,
            pseudonym=others.get(row.id),
        )
        found[row.task_id].append(entry)
    return found


def _sent(wanted: ColumnElement[bool]) -> Select[Any]:
    """The runs with their teams and the sizes of their files, the oldest first."""
    found = select(
        *(runs, teams.c.name.label("team"), teams.c.slug.label("team_slug")),
        *(teams.c.consent, payloads.c.size),
    )
    return (
        found.join(teams, teams.c.id == runs.c.team_id)
        .join(payloads, payloads.c.sha256 == runs.c.sha256)
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(wanted)
        .order_by(runs.c.id)
    )


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
    db: Connection, wanted: ColumnElement[bool], chosen: Select[Any]
) -> dict[int, tuple[Graded, str]]:
    """Each run's scores under the chosen gold, and their settings, by the run's key."""
    mine = gradings.c.gold_id.in_(
        select(golds.c.id)
        .join(tasks, tasks.c.id == golds.c.task_id)
        .where(wanted, golds.c.id.in_(chosen))
    )
    rows = db.execute(
        select(gradings, scorecards.c.body)
        .join(scorecards, scorecards.c.grading_id == gradings.c.id)
        .where(mine)
    )
    return {row.run_id: (read_graded(row), row.settings) for row in rows}
