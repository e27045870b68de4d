"""Teams and their tokens."""

import shlex
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, insert, select, update

from grader.errors import Mistake
from grader.model import Team
from grader.store.engine import alone
from grader.store.names import checked, folded, minted, unknown
from grader.store.schema import teams as table

_LONGEST = 100


def add_team(db: Connection, name: str, token: str, at: datetime) -> str:
    """Keep a team and the digest of its token; return the slug minted for it.

    Mistake for a name that cannot be, or that a team has already but for case, width or spaces.
    """
    name = checked("team name", name, _LONGEST)
    alone(db, "teams")
    taken = {known: team for known, team, _ in _rows(db)}
    if folded(name) in taken:
        raise Mistake(
            f"there is already a team {taken[folded(name)].name!r}", mend="grader team list"
        )
    slug = minted(name, {team.slug for team in taken.values()})
    row = {"name": name, "folded": folded(name), "slug": slug, "token": _digest(token)}
    db.execute(insert(table).values(row | {"created": at}))
    return slug


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
        if key == folded(name):
            return team, number
    mend = f"grader team list, or: grader team add {shlex.quote(name)}"
    raise unknown(db, "team", name, [team.name for _, team, _ in known], mend)


def _rows(db: Connection) -> list[tuple[str, Team, int]]:
    columns = (table.c.folded, table.c.name, table.c.slug, table.c.created, table.c.id)
    rows = db.execute(select(*columns).order_by(table.c.id))
    return [(key, Team(name, slug, created), number) for key, name, slug, created, number in rows]


def _digest(token: str) -> str:
    """A token is long and random, so a plain digest of it tells nothing."""
    return sha256(token.encode()).hexdigest()
