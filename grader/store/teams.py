"""Teams, their other names, their tokens, and what they registered with."""

import json
import shlex
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from grader.errors import Mistake
from grader.model import Registration, Team
from grader.store.engine import alone
from grader.store.golds import json_text
from grader.store.names import AUDIENCES, checked, folded, minted, plain, team_name, unknown
from grader.store.schema import aliases, runs
from grader.store.schema import teams as table

LONGEST = 100  # characters of a name
_FACT = 300  # characters of an affiliation or a contact


def add_team(db: Connection, name: str, token: str, at: datetime, known_as: str = "") -> str:
    """Keep a team and the digest of its token; return the slug minted for it.

    known_as  another name, for the slug of a team whose own name has no letter that fits one

    Mistake for a name that cannot be, or that a team has already but for case, width or spaces.
    """
    name = team_name("team name", name, LONGEST)
    free(db, name)
    slug = minted(name if plain(name) else known_as, taken(db))
    row = {"name": name, "folded": folded(name), "slug": slug, "token": _digest(token)}
    db.execute(insert(table).values(row | {"created": at}))
    return slug


def add_alias(db: Connection, name: str, alias: str, at: datetime) -> None:
    """Another name by which a team is known; Mistake if it is some team's already."""
    number = living(db, name)
    alias = team_name("alias", alias, LONGEST)
    free(db, alias)
    row = {"folded": folded(alias), "team_id": number, "name": alias, "at": at}
    db.execute(insert(aliases).values(row))


def taken(db: Connection) -> set[str]:
    """The slugs that no new team may have: of teams, and of such as runs are addressed by."""
    ours = {str(slug).rpartition("-")[0] for slug in db.scalars(select(runs.c.slug).distinct())}
    return {*AUDIENCES, *ours, *db.scalars(select(table.c.slug))}


def free(db: Connection, name: str) -> None:
    """Mistake if a team has the name, or one that differs only in case, width or spaces."""
    alone(db, "teams")
    for team in teams(db):
        for known in (team.name, *team.aliases):
            if folded(known) == folded(name):
                also = "" if known == team.name else f", an alias of {team.name!r}"
                raise Mistake(f"there is already a team {known!r}{also}", mend="grader team list")


def set_token(db: Connection, name: str, token: str) -> None:
    """Put another token in place of a team's; the old one is worth nothing from now on."""
    number = living(db, name)
    db.execute(update(table).where(table.c.id == number).values(token=_digest(token)))


def register(db: Connection, name: str, said: Registration) -> None:
    """Keep what a team registered with, in place of what it said before."""
    row = {
        "affiliation": said.affiliation and checked("affiliation", said.affiliation, _FACT),
        "contact": said.contact and checked("contact", said.contact, _FACT),
        "tracks": json_text(said.tracks) if said.tracks else None,
        "consent": said.consent,
        "consented": said.consented,
    }
    db.execute(update(table).where(table.c.id == living(db, name)).values(row))


def teams(db: Connection) -> tuple[Team, ...]:
    """The teams in the order of their registration."""
    return tuple(team for _, team, _ in _rows(db))


def team(db: Connection, name: str) -> Team:
    """The team of that name, however it is cased or spaced; Mistake if there is none."""
    return _found(db, name)[0]


def team_number(db: Connection, name: str) -> int:
    """The key of a team's row; Mistake if there is no such team."""
    return _found(db, name)[1]


def living(db: Connection, name: str) -> int:
    """The key of a team's row; Mistake if there is no such team, or it was erased."""
    found, number = _found(db, name)
    if found.erased:
        raise Mistake(f"{found.name} was erased: nothing is kept of it but its runs")
    return number


def _found(db: Connection, name: str) -> tuple[Team, int]:
    known = _rows(db)
    for key, team, number in known:
        if folded(name) in (key, *map(folded, team.aliases)):
            return team, number
    mend = f"grader team list, or: grader team add {shlex.quote(name)}"
    raise unknown(db, "team", name, [team.name for _, team, _ in known], mend)


def _rows(db: Connection) -> list[tuple[str, Team, int]]:
    also: dict[int, list[str]] = defaultdict(list)
    for row in db.execute(select(aliases).order_by(aliases.c.at, aliases.c.folded)):
        also[row.team_id].append(row.name)
    found = db.execute(select(table).order_by(table.c.id))
    return [(row.folded, _team(row, also), row.id) for row in found]


def _team(row: Row[Any], also: Mapping[int, list[str]]) -> Team:
    said = Registration(
        affiliation=row.affiliation or "",
        contact=row.contact or "",
        tracks=tuple(json.loads(row.tracks)) if row.tracks else (),
        consent=row.consent,
        consented=row.consented,
    )
    return Team(row.name, row.slug, row.created, tuple(also[row.id]), said, row.erased)


def _digest(token: str) -> str:
    """A token is long and random, so a plain digest of it tells nothing."""
    return sha256(token.encode()).hexdigest()
