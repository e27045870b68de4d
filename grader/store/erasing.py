"""A team whose runs stay while all that says who it was goes."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update

from grader.store.faults import plainly
from grader.store.names import folded, minted, plain
from grader.store.schema import METADATA, aliases, amendments, refusals, runs, tasks, teams
from grader.store.teams import living, taken, team
from grader.store.wording import SAID

_NAMELESS = re.compile("team(-[0-9]+)?")  # a slug of a name that no address can have
_ENDING = re.compile(r"(\.(?:csv|tsv|jsonl?|txt|zip))?(\.gz)?$")


def addresses(db: Connection, name: str) -> tuple[str, dict[str, str]]:
    """A name that says nothing, and what stands for each slug that says who a team was.

    The slugs are those before the number in the addresses of its runs, and its own.
    """
    number, found = living(db, name), team(db, name)
    said = {plain(one) for one in (found.name, *found.aliases)}
    of_runs = db.scalars(select(runs.c.slug).where(runs.c.team_id == number).order_by(runs.c.id))
    prefixes = dict.fromkeys((found.slug, *(run.rpartition("-")[0] for run in of_runs)))
    used = taken(db)
    names = set(db.scalars(select(teams.c.folded))) | set(db.scalars(select(aliases.c.folded)))
    k = 1
    while f"erased team {k}" in names or f"erased-team-{k}" in used:
        k += 1
    instead: dict[str, str] = {}
    for prefix in prefixes:
        if not _NAMELESS.fullmatch(prefix) or said & {prefix, "team"}:
            fresh = f"erased-team-{k}" if not instead else minted(f"erased team {k}", used)
            instead[prefix] = fresh
            used.add(fresh)
    return f"erased team {k}", instead


def erase_team(
    db: Connection, name: str, new: str, instead: Mapping[str, str], at: datetime
) -> tuple[tuple[str, str, str], ...]:
    """Take all of a person from a team, and from its runs what they say of themselves.

    new      what it is called from now on
    instead  what stands for each slug that says who it was

    returns  task, old and new slug of each run whose address has changed
    """
    number, slug = living(db, name), team(db, name).slug
    db.execute(delete(aliases).where(aliases.c.team_id == number))
    row = {"name": new, "folded": folded(new), "slug": instead.get(slug, slug), "erased": at}
    gone = dict.fromkeys(("token", "affiliation", "contact", "tracks", "consent", "consented"))
    db.execute(update(teams).where(teams.c.id == number).values(row | gone))
    for table in (refusals, amendments):
        of = table.c.team_id == number if "team_id" in table.c else _of_runs(number)
        for found in db.execute(select(table.c.id, table.c.filename).where(of)).all():
            plain = f"file{_ending(found.filename)}"
            db.execute(update(table).where(table.c.id == found.id).values(filename=plain))
    return tuple(_unnamed(db, number, instead))


def _of_runs(number: int) -> Any:  # noqa: ANN401, SQLAlchemy's own type is longer than it
    return amendments.c.run_id.in_(select(runs.c.id).where(runs.c.team_id == number))


def _unnamed(
    db: Connection, number: int, instead: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Give a team's runs names, files and addresses that say nothing; yield what moved."""
    found = (
        select(runs.c.id, runs.c.slug, runs.c.number, runs.c.filename, tasks.c.slug.label("task"))
        .join(tasks, tasks.c.id == runs.c.task_id)
        .where(runs.c.team_id == number)
        .order_by(runs.c.id)
    )
    for row in db.execute(found).all():
        prefix, _, last = row.slug.rpartition("-")
        slug = f"{instead.get(prefix, prefix)}-{last}"
        values = {
            "slug": slug,
            "name": f"run {row.number}",
            "filename": f"{slug}{_ending(row.filename)}",
            "about": None,
        }
        db.execute(update(runs).where(runs.c.id == row.id).values(values))
        if slug != row.slug:
            yield row.task, row.slug, slug


def _ending(filename: str) -> str:
    found = _ENDING.search(filename.lower())
    return found[0] if found else ""


def forget(engine: Engine) -> None:
    """Rewrite the tables that a team was erased from, so that no old row lies in their files.

    PostgreSQL keeps its log of changes for as long as it is set to, and backups stay.
    """
    with plainly(engine.url):
        raw = engine.raw_connection()
        try:
            if engine.dialect.name == "sqlite":
                raw.cursor().execute("VACUUM")
                return
            raw.dbapi_connection.autocommit = True  # type: ignore[union-attr]
            for table in (teams, aliases, runs, *(METADATA.tables[name] for name in SAID)):
                raw.cursor().execute(f"VACUUM FULL {table.name}")
        finally:
            raw.close()
