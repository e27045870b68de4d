"""Teams that get another name, and teams that turn out to be one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from grader.errors import Mistake
from grader.model import Team
from grader.store.engine import alone
from grader.store.golds import json_text
from grader.store.names import folded, team_name
from grader.store.schema import METADATA, aliases, commitments, run_flags, runs, tasks, teams
from grader.store.teams import LONGEST, free, living, team, team_number


class Collision(NamedTuple):
    """A moved run that cannot stay as it was beside one of the other team's.

    ``name`` is what it is called now where both sent the same bytes under the same name; empty
    where both were primary in a phase: then it no longer is.
    """

    task: str
    run: str
    other: str
    name: str = ""


def touched(db: Connection, name: str) -> dict[str, bool]:
    """The tasks that a team entered or sent something to, and whether it did send.

    They are in the order of their registration.
    """
    number = living(db, name)
    entered = team(db, name).registration.tracks
    found: set[int] = set()
    for table in METADATA.tables.values():
        if {"task_id", "team_id"} <= set(table.c.keys()):
            found |= set(db.scalars(select(table.c.task_id).where(table.c.team_id == number)))
    rows = db.execute(select(tasks.c.id, tasks.c.slug).order_by(tasks.c.id))
    return {row.slug: row.id in found for row in rows if row.id in found or row.slug in entered}


def runs_of(db: Connection, name: str) -> dict[str, tuple[str, ...]]:
    """The runs of a team, erased or not, by task, in the order in which they came."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in _runs(db, team_number(db, name)):
        found[row.task].append(row.slug)
    return {task: tuple(each) for task, each in found.items()}


def alone_with_all(db: Connection) -> None:
    """Until the transaction ends nobody adds a team, or anything to a task."""
    alone(db, "teams")
    db.execute(select(tasks.c.id).order_by(tasks.c.id).with_for_update()).all()


def rename_team(db: Connection, old: str, new: str, at: datetime) -> tuple[Team, Team]:
    """Give a team another name; the old one stays an alias, and its slug and addresses stay.

    A name that differs only in case, width or spaces, or that was an alias, takes its place.

    returns  the team as it was, and as it is
    raises   Mistake, for a name that another team has
    """
    alone_with_all(db)
    number, before = living(db, old), team(db, old)
    new = team_name("team name", new, LONGEST)
    if new == before.name:
        raise Mistake(f"{before.name!r} is its name already", mend="grader team list")
    mine = (aliases.c.team_id == number, aliases.c.folded == folded(new))
    gone = db.execute(delete(aliases).where(*mine)).rowcount
    if not gone and folded(new) != folded(before.name):
        free(db, new)
    names = {"name": new, "folded": folded(new)}
    db.execute(update(teams).where(teams.c.id == number).values(names))
    if folded(new) != folded(before.name):
        _alias(db, number, before.name, at)
    return before, team(db, new)


def _alias(db: Connection, number: int, name: str, at: datetime) -> None:
    row = {"folded": folded(name), "team_id": number, "name": name, "at": at}
    db.execute(insert(aliases).values(row))


def merge_teams(
    db: Connection, gone: str, into: str, at: datetime
) -> tuple[Team, tuple[Collision, ...]]:
    """Give all that a team sent, and its names, to another, and take the team away.

    Addresses of runs stay; their numbers among the team's runs do not. What both registered with
    stands together. The token of the team that is gone is worth nothing.

    returns  the team as it is now, and the runs that could not stay as they were
    raises   Mistake, for an unknown team, or the same one twice
    """
    alone_with_all(db)
    was, now = living(db, gone), living(db, into)
    if was == now:
        raise Mistake(f"{gone!r} and {into!r} are one team already", mend="grader team list")
    before, after = team(db, gone), team(db, into)
    clashes = (*_renamed(db, was, now), *_primary(db, was, now))
    _renumber(db, was, now)
    _promises(db, was, now)
    for table in METADATA.tables.values():
        if "team_id" in table.c:
            db.execute(update(table).where(table.c.team_id == was).values(team_id=now))
    db.execute(delete(teams).where(teams.c.id == was))
    _alias(db, now, before.name, at)
    both = _both(before, after, at)
    db.execute(update(teams).where(teams.c.id == now).values(both))
    return team(db, into), clashes


def _both(one: Team, other: Team, at: datetime) -> dict[str, Any]:
    """What two teams registered with, as that of one; it consents only where both did."""
    a, b = other.registration, one.registration
    given = {key: (getattr(a, key), getattr(b, key)) for key in ("affiliation", "contact")}
    said = {key: "; ".join(dict.fromkeys(filter(None, each))) for key, each in given.items()}
    tracks = sorted({*a.tracks, *b.tracks})
    asked = {a.consent, b.consent}
    consent = False if False in asked else None if None in asked else True
    since = a.consented if consent == a.consent else at
    found = {"tracks": json_text(tracks) if tracks else None}
    return {**said, **found, "consent": consent, "consented": since}


def _renamed(db: Connection, was: int, now: int) -> Iterator[Collision]:
    """Name runs apart that both teams sent: the same bytes, name and phase are one run."""
    theirs = {(r.task_id, r.phase, r.name, r.sha256): r.slug for r in _runs(db, now)}
    mine = _runs(db, was)
    used = {*theirs, *((r.task_id, r.phase, r.name, r.sha256) for r in mine)}
    for row in mine:
        other = theirs.get((row.task_id, row.phase, row.name, row.sha256))
        if other is None:
            continue
        name = _other_name(row, used)
        used.add((row.task_id, row.phase, name, row.sha256))
        db.execute(update(runs).where(runs.c.id == row.id).values(name=name))
        yield Collision(row.task, row.slug, other, name)


def _other_name(row: Row[Any], used: set[tuple[Any, ...]]) -> str:
    k = 2
    while (row.task_id, row.phase, f"{row.name[:190]} ({k})", row.sha256) in used:
        k += 1
    return f"{row.name[:190]} ({k})"


def _primary(db: Connection, was: int, now: int) -> Iterator[Collision]:
    """Take the mark off the primary runs that come, where the team has one in that phase."""
    flagged = select(run_flags.c.run_id).where(run_flags.c.flag == "primary")
    marked = set(db.scalars(flagged))
    theirs = {(r.task_id, r.phase): r.slug for r in _runs(db, now) if r.id in marked}
    for row in _runs(db, was):
        other = theirs.get((row.task_id, row.phase))
        if row.id in marked and other is not None:
            mark = (run_flags.c.run_id == row.id, run_flags.c.flag == "primary")
            db.execute(delete(run_flags).where(*mark))
            yield Collision(row.task, row.slug, other)


def _runs(db: Connection, number: int) -> Sequence[Row[Any]]:
    found = (
        select(runs, tasks.c.slug.label("task"))
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(runs.c.team_id == number)
        .order_by(runs.c.id)
    )
    return db.execute(found).all()


def _renumber(db: Connection, was: int, now: int) -> None:
    """Count the runs that come after those that are there, each task by itself."""
    most = select(runs.c.task_id, func.max(runs.c.number)).where(runs.c.team_id.in_((was, now)))
    last = {task: int(number) for task, number in db.execute(most.group_by(runs.c.task_id))}
    for row in _runs(db, was):
        last[row.task_id] += 1
        db.execute(update(runs).where(runs.c.id == row.id).values(number=last[row.task_id]))


def _promises(db: Connection, was: int, now: int) -> None:
    """Forget promises that both made; the other team's stands."""
    of = select(commitments).where(commitments.c.team_id.in_((was, now)))
    rows = db.execute(of).all()
    theirs = {(r.task_id, r.phase, r.sha256) for r in rows if r.team_id == now}
    for row in rows:
        if row.team_id == was and (row.task_id, row.phase, row.sha256) in theirs:
            twice = (
                commitments.c.team_id == was,
                commitments.c.task_id == row.task_id,
                commitments.c.phase == row.phase,
                commitments.c.sha256 == row.sha256,
            )
            db.execute(delete(commitments).where(*twice))
