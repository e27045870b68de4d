"""Frozen results: kept as JSON that nothing moves, and read with the names of today.

A document names no team and no run: it has the keys of runs' rows, so that a name which is
erased is gone from it too.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, insert, select

from grader.board import changes
from grader.errors import Mistake
from grader.model import Erratum, Frozen, Named, Release, Version
from grader.store.golds import gold_number, json_text
from grader.store.log import Verb, log
from grader.store.names import checked, folded, storable
from grader.store.namings import named
from grader.store.schema import log as lines
from grader.store.schema import log_runs, runs, tasks, teams
from grader.store.schema import releases as table
from grader.store.tasks import task_number

VERSION = 1  # of the document: an older one is read by the code that wrote it, or migrated
_FROZEN = TypeAdapter(Frozen)
_NAME = 60
# What is done to runs that changes what is frozen of them, in words.
_DONE: Mapping[Verb, str] = {
    "run withdraw": "withdrawn",
    "run restore": "no longer withdrawn",
    "run flag": "marked",
    "run amend": "its file was amended",
    "run waive": "a rule was waived",
    "run readmit": "no longer late",
    "run rename": "renamed",
}
_UPDATED: Verb = "task update"
_ERASED: Verb = "team erase"


def add_release(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection, slug: str, name: str, frozen: Frozen, why: str, at: datetime
) -> str:
    """Keep results under a name, as it is from now on, and log it.

    raises  Mistake, if others have that name
    """
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
        "log_id": log(db, slug, f"task freeze: {name}", why, at),
        "why": storable("the reason", why, 10_000),
        "at": at,
    }
    db.execute(insert(table).values(row))
    return name


def document(frozen: Frozen) -> str:
    """Frozen results as they are kept: JSON in ASCII, instants as ISO 8601."""
    return json_text({"version": VERSION, "frozen": _plain(asdict(frozen))})


def _plain(value: Any) -> Any:  # noqa: ANN401, JSON's own
    if hasattr(value, "_asdict"):  # a score is a tuple with names
        return _plain(value._asdict())
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
    names, log_of = _names(db, of), _log(db, of)
    found: dict[str, list[Release]] = defaultdict(list)
    for row in rows:
        frozen = _FROZEN.validate_python(json.loads(row.document)["frozen"])
        mine = {one.run: names[one.run] for one in frozen.runs}
        later = (line for line in log_of[row.task_id] if line.said.id > row.log_id)
        done = (one for line in later for one in _done(line, names, mine))
        since = [*done, *_newer(frozen, known[row.slug])]
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


class _Line(NamedTuple):
    """A line of a log, and the runs that it names, by their keys."""

    said: Row[Any]
    runs: list[int]


def _log(db: Connection, of: Sequence[int]) -> dict[int, list[_Line]]:
    """The logs of some tasks, the oldest line first, by their keys."""
    named: dict[int, list[int]] = defaultdict(list)
    mine = lines.c.task_id.in_(of)
    for row in db.execute(
        select(log_runs)
        .join(lines, lines.c.id == log_runs.c.log_id)
        .where(mine)
        .order_by(log_runs.c.log_id, log_runs.c.position)
    ):
        named[row.log_id].append(row.run_id)
    found: dict[int, list[_Line]] = defaultdict(list)
    for row in db.execute(select(lines).where(mine).order_by(lines.c.id)):
        found[row.task_id].append(_Line(row, named[row.id]))
    return found


def _done(line: _Line, names: Mapping[int, Named], frozen: Collection[int]) -> Iterator[Erratum]:
    """Yield what a line of the log says of the frozen runs, of their teams or the task's file."""
    said, known = line.said, [run for run in line.runs if run in frozen]
    if said.verb == _UPDATED:
        yield Erratum(said.at, f"the task's file changed: {said.what}", said.why)
    elif known and (naming := named(said)):
        # That there were two teams is told by boards, where no phase is hidden.
        what = f"the team {naming.before} is called {naming.after}"
        yield Erratum(said.at, what, "" if naming.merged else said.why)
    elif known and said.verb == _ERASED:
        yield Erratum(said.at, f"the name of a team was erased: it is {said.what}", "")
    elif known and said.verb in _DONE:
        first = names[line.runs[0]].slug
        what = f"{_DONE[said.verb]}{said.what.removeprefix(first)}"
        for run in known:
            whose = "" if run == line.runs[0] else f"{first} was "
            yield Erratum(said.at, f"{whose}{what}", said.why, names[run].slug)


def _newer(frozen: Frozen, known: Sequence[Version]) -> Iterator[Erratum]:
    """Yield the gold versions that came since."""
    for version in known:
        if version.version > frozen.gold.version:
            said = ", ".join(changes(version))
            yield Erratum(
                version.registered, f"gold version {version.version}: {said}", version.reason
            )
