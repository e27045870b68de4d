"""Teams from a file: added, brought up to date, never doubled, and none ever removed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader import store
from grader.errors import Mistake
from grader.marking import Decision
from grader.model import Problem, Registration, Team
from grader.plural import counted
from grader.registration.sheet import Line, sheet
from grader.registration.teams import consented, rename
from grader.store import Connection


@dataclass(frozen=True, slots=True)
class Import:
    """A file of teams, when it is taken over, and what makes a token."""

    name: str
    payload: bytes
    at: datetime
    token: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file did: the token of each new team, and what changed of others.

    ``kept`` are the lines whose name is one that a team had before: it keeps the one it has.
    ``absent`` are the teams that the file does not name.
    """

    added: Mapping[str, str]
    changed: Mapping[str, tuple[str, ...]]
    unchanged: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    unread: tuple[str, ...]


def import_teams(db: Connection, given: Import) -> Imported:
    """Add the teams of a file that are not there yet, and bring the others up to date.

    A team is known by its id, which is one of its names, else by its display name. A column that
    the file does not have changes nothing.

    raises  Mistake, with all that is wrong with the file, each problem with its line
    """
    store.alone_with_all(db)
    read = sheet(given.payload, store.tracks(db))
    teams = store.teams(db)
    known = {store.folded(n): team for team in teams for n in (team.name, *team.aliases)}
    twice = {problem.line for problem in read.problems if problem.code == "duplicate-team"}
    once = [line for line in read.lines if line.line not in twice]
    problems = [*read.problems, *_conflicts(once, known)]
    if problems:
        problems.sort(key=lambda problem: problem.line or 1)
        said = [f"{given.name}:{p.line or 1}: {p.code}: {p.message}" for p in problems]
        what = f"{counted(len(problems), 'problem')}, and nothing was imported"
        raise Mistake(f"the file of teams has {what}", *said)
    added: dict[str, str] = {}
    changed: dict[str, tuple[str, ...]] = {}
    unchanged: list[str] = []
    kept: list[tuple[str, str]] = []
    for line in read.lines:
        team = _known(line, known)
        if team is None:
            added[line.name or line.id] = _add(db, line, given)
            continue
        name, parts = _update(db, line, team, given.at)
        if parts:
            changed[name] = parts
        else:
            unchanged.append(name)
        if line.name and store.folded(line.name) != store.folded(name):
            kept.append((name, line.name))
    there = {team.slug for line in read.lines if (team := _known(line, known))}
    absent = tuple(t.name for t in teams if t.slug not in there and not t.erased)
    return Imported(added, changed, tuple(unchanged), tuple(kept), absent, read.unread)


def _known(line: Line, known: Mapping[str, Team]) -> Team | None:
    return known.get(store.folded(line.id)) or known.get(store.folded(line.name))


def _conflicts(lines: Sequence[Line], known: Mapping[str, Team]) -> Iterator[Problem]:
    """Yield where a line, or two of them, speak of teams that cannot be so."""
    first: dict[str, int] = {}
    for line in lines:
        of_id, of_name = (known.get(store.folded(name)) for name in (line.id, line.name))
        if of_id and of_name and of_id.slug != of_name.slug:
            said = f"{line.id!r} is {of_id.name!r}, and {line.name!r} is another team"
            yield Problem("two-teams", f"{said}: if they are one, grader team merge", line.line)
        elif team := of_id or of_name:
            if team.slug in first:
                said = f"it is {team.name!r}, as line {first[team.slug]} is"
                yield Problem("same-team", said, line.line)
            first.setdefault(team.slug, line.line)


def _add(db: Connection, line: Line, given: Import) -> str:
    """Register the team of a line; return its token."""
    name, token = line.name or line.id, given.token()
    store.add_team(db, name, token, given.at, line.id)
    if store.folded(line.id) != store.folded(name):
        store.add_alias(db, name, line.id, given.at)
    _register(db, name, line, Registration(), given.at)
    return token


def _register(db: Connection, name: str, line: Line, before: Registration, at: datetime) -> None:
    """Keep what a line says of a team, and log whether its runs may be archived."""
    after = line.over(before)
    if after.consent != before.consent:
        after = replace(after, consented=at)
    store.register(db, name, after)
    consented(db, store.team(db, name), [before.consent], _decided(at))


def _decided(at: datetime) -> Decision:
    return Decision("team import", at)


def _update(db: Connection, line: Line, team: Team, at: datetime) -> tuple[str, tuple[str, ...]]:
    """Bring a team up to date; return its name and what changed of it."""
    parts: list[str] = []
    mine = {store.folded(name) for name in (team.name, *team.aliases)}
    name = team.name
    spelled = store.folded(line.name) == store.folded(name)
    if line.name and line.name != name and (spelled or store.folded(line.name) not in mine):
        name = rename(db, name, line.name, _decided(at))[0].name
        parts.append("name")
    if store.folded(line.id) not in mine | {store.folded(name)}:
        store.add_alias(db, name, line.id, at)
        parts.append("id")
    before, after = team.registration, line.over(team.registration)
    if before != after:
        _register(db, name, line, before, at)
        keys = ("affiliation", "contact", "tracks", "consent")
        parts += [key for key in keys if getattr(before, key) != getattr(after, key)]
    return name, tuple(parts)
