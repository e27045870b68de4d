"""Frozen results: kept as JSON that nothing moves, and read with the names of today.

A document names no team and no run: it has the keys of runs' rows, so that a name which is
erased is gone from it too.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, insert, select

from grader.board import changes
from grader.errors import Mistake
from grader.model import Erratum, Frozen, Named, Release, Version
from grader.store.golds import gold_number, json_text
from grader.store.names import checked, folded, storable
from grader.store.schema import log as lines
from grader.store.schema import releases as table
from grader.store.schema import runs, tasks, teams
from grader.store.tasks import task_number

VERSION = 1  # of the document: an older one is read by the code that wrote it, or migrated
_FROZEN = TypeAdapter(Frozen)
_NAME = 60
_RUN = re.compile(r"run ([a-z]+): ([^ ,]+)(.*)", re.DOTALL)
# What is done to a run that changes what its frozen scores mean, in words.
_DONE = {
    "withdraw": "withdrawn",
    "restore": "no longer withdrawn",
    "flag": "marked",
    "amend": "its file was amended",
    "waive": "a rule was waived",
    "readmit": "no longer late",
}


def add_release(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, slug: str, name: str, frozen: Frozen, why: str, at: datetime
) -> str:
    """Keep results under a name, as it is from now on; Mistake if another has that name."""
    name = checked("name of a release", name, _NAME)
    task = task_number(db, slug, lock=True)
    for known in db.scalars(select(table.c.name).where(table.c.task_id == task)):
        if folded(known) == folded(name):
            raise Mistake(
                f"results of {slug!r} are frozen as {known!r} already, and stay as they are",
                mend=f"grader task freeze {slug} --name ANOTHER --why '…'",
            )
    row = {
        "task_id": task,
        "name": name,
        "gold_id": gold_number(db, slug, frozen.gold.version),
        "document": document(frozen),
        "why": storable("the reason", why, 10_000),
        "at": at,
    }
    db.execute(insert(table).values(row))
    return name


def document(frozen: Frozen) -> str:
    """Frozen results as they are kept: JSON in ASCII, instants as ISO 8601."""
    return json_text({"version": VERSION, "frozen": _plain(asdict(frozen))})


def _plain(value: Any) -> Any:  # noqa: ANN401, JSON's own
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value


def release_names(db: Connection, slug: str) -> tuple[str, ...]:
    """The names under which results of a task are frozen, the oldest first."""
    of = table.c.task_id == task_number(db, slug)
    return tuple(db.scalars(select(table.c.name).where(of).order_by(table.c.id)))


def releases(
    db: Connection, known: Mapping[str, Sequence[Version]]
) -> dict[str, tuple[Release, ...]]:
    """The frozen results of tasks, the oldest first, each with what happened since.

    known  the gold versions of each task, by its slug
    """
    rows = db.execute(
        select(table, tasks.c.slug)
        .join(tasks, tasks.c.id == table.c.task_id)
        .where(tasks.c.slug.in_(known))
        .order_by(table.c.id)
    ).all()
    if not rows:
        return {}
    of = [row.task_id for row in rows]
    names, log = _names(db, of), _log(db, of)
    found: dict[str, list[Release]] = defaultdict(list)
    for row in rows:
        frozen = _FROZEN.validate_python(json.loads(row.document)["frozen"])
        mine = {one.run: names[one.run] for one in frozen.runs}
        runs_in = {named.slug for named in mine.values()}
        since = [*_done(row, log[row.task_id], runs_in), *_newer(frozen, known[row.slug])]
        errata = tuple(sorted(since, key=lambda one: one.at))
        found[row.slug].append(Release(row.name, row.at, row.why, frozen, mine, errata))
    return {slug: tuple(each) for slug, each in found.items()}


def _names(db: Connection, of: Sequence[int]) -> dict[int, Named]:
    """What the runs of some tasks are called now, by their keys."""
    rows = (
        select(runs.c.id, runs.c.slug, teams.c.name.label("team"), runs.c.name)
        .join(teams, teams.c.id == runs.c.team_id)
        .where(runs.c.task_id.in_(of))
    )
    return {row.id: Named(row.slug, row.team, row.name) for row in db.execute(rows)}


def _log(db: Connection, of: Sequence[int]) -> dict[int, list[Row[Any]]]:
    """The logs of some tasks, the oldest line first, by their keys."""
    found: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in db.execute(select(lines).where(lines.c.task_id.in_(of)).order_by(lines.c.id)):
        found[row.task_id].append(row)
    return found


def frozen_as(name: str) -> str:
    """What the log says when results are frozen."""
    return f"task freeze: {name}"


def _done(release: Row[Any], log: Sequence[Row[Any]], runs: set[str]) -> Iterator[Erratum]:
    """Yield what was done since to some runs, and to the task's file."""
    places = [i for i, line in enumerate(log) if line.what == frozen_as(release.name)]
    for line in log[places[0] + 1 :] if places else ():
        if line.what.startswith("task update: "):
            yield Erratum(line.at, f"the task's file changed: {line.what[13:]}", line.why)
        elif (found := _RUN.match(line.what)) and found[2] in runs and found[1] in _DONE:
            yield Erratum(line.at, f"{_DONE[found[1]]}{found[3]}", line.why, found[2])


def _newer(frozen: Frozen, known: Sequence[Version]) -> Iterator[Erratum]:
    """Yield the gold versions that came since."""
    for version in known:
        if version.version > frozen.gold.version:
            said = ", ".join(changes(version))
            yield Erratum(
                version.registered, f"gold version {version.version}: {said}", version.reason
            )
