"""Teams, their other names and their tokens."""

import shlex
from collections import defaultdict
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, insert, select, update

from grader.errors import Mistake
from grader.model import Team
from grader.store.engine import alone
from grader.store.names import checked, folded, minted, unknown
from grader.store.schema import aliases
from grader.store.schema import teams as table

_LONGEST = 100


def add_team(db: Connection, name: str, token: str, at: datetime) -> str:
    """Keep a team and the digest of its token; return the slug minted for it.

    Mistake for a name that cannot be, or that a team has already but for case, width or spaces.
    """
    name = checked("team name", name, _LONGEST)
    _free(db, name)
    slug = minted(name, {team.slug for _, team, _ in _rows(db)})
    row = {"name": name, "folded": folded(name), "slug": slug, "token": _digest(token)}
    db.execute(insert(table).values(row | {"created": at}))
    return slug


def add_alias(db: Connection, name: str, alias: str, at: datetime) -> None:
    """Another name by which a team is known; Mistake if it is some team's already."""
    number = team_number(db, name)
    alias = checked("alias", alias, _LONGEST)
    _free(db, alias)
    row = {"folded": folded(alias), "team_id": number, "name": alias, "at": at}
    db.execute(insert(aliases).values(row))


def _free(db: Connection, name: str) -> None:
    """Mistake if a team has the name, or one that differs only in case, width or spaces."""
    alone(db, "teams")
    for team in teams(db):
        for known in (team.name, *team.aliases):
            if folded(known) == folded(name):
                also = "" if known == team.name else f", an alias of {team.name!r}"
                raise Mistake(f"there is already a team {known!r}{also}", mend="grader team list")


def set_token(db: Connection, name: str, token: str) -> None:
    """Put another token in place of a team's; the old one is worth nothing from now on."""
    number = team_number(db, name)
    db.execute(update(table).where(table.c.id == number).values(token=_digest(token)))


def teams(db: Connection) -> tuple[Team, ...]:
    """The teams in the order of their registration."""
    return tuple(team for _, team, _ in _rows(db))


def team(db: Connection, name: str) -> Team:
    """The team of that name, however it is cased or spaced; Mistake if there is none."""
    return _found(db, name)[0]


def team_number(db: Connection, name: str) -> int:
    """The key of a team's row; Mistake if there is no such team."""
    return _found(db, name)[1]


def _found(db: Connection, name: str) -> tuple[Team, int]:
    known = _rows(db)
    for key, team, number in known:
        if folded(name) in (key, *map(folded, team.aliases)):
            return team, number
    mend = f"grader team list, or: grader team add {shlex.quote(name)}"
    raise unknown(db, "team", name, [team.name for _, team, _ in known], mend)


def _rows(db: Connection) -> list[tuple[str, Team, int]]:
    columns = (table.c.folded, table.c.name, table.c.slug, table.c.created, table.c.id)
    also: dict[int, list[str]] = defaultdict(list)
    for row in db.execute(select(aliases).order_by(aliases.c.at, aliases.c.folded)):
        also[row.team_id].append(row.name)
    return [
        (row.folded, Team(row.name, row.slug, row.created, tuple(also[row.id])), row.id)
        for row in db.execute(select(*columns).order_by(table.c.id))
    ]


def _digest(token: str) -> str:
    """A token is long and random, so a plain digest of it tells nothing."""
    return sha256(token.encode()).hexdigest()
