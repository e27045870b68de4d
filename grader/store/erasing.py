"""A team whose runs stay while all that says who it was goes.

What is said of it in words is rewritten; what is bytes or a rule of a task is only looked through.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, Text, delete, or_, select, update

from grader.store.faults import plainly
from grader.store.golds import json_text
from grader.store.names import folded, minted
from grader.store.schema import (
    METADATA,
    aliases,
    amendments,
    golds,
    payloads,
    refusals,
    runs,
    tasks,
    teams,
)
from grader.store.teams import living, taken, team

Words = Callable[[str], str]
_NAMELESS = re.compile("(erased-)?team(-[0-9]+)?")  # slugs that say nothing of a name
_ENDING = re.compile(r"(\.(?:csv|tsv|jsonl?|txt|zip))?(\.gz)?$")
# What people wrote about others.
_SAID = {
    "log": ("what", "why", "who"),
    "run_flags": ("why",),
    "refusals": ("remark",),
    "amendments": ("why",),
    "extensions": ("why",),
    "releases": ("why", "document"),
    "disputes": ("said", "answer"),
    "judgements": ("why",),
    "golds": ("reason",),
    "instances": ("reason", "who"),
}
# What is said there is of other teams, or by nobody.
_SILENT = {"scores", "teams", "aliases", "payloads", "runs.slug"}
_DIGESTS = {"sha256", "content", "commitment", "reliability", "settings", "analysis", "token"}


class Place(NamedTuple):
    """Where a name still stands: a column of a table, and which of its rows by what they are."""

    column: str
    rows: tuple[str, ...]


def addresses(db: Connection, name: str) -> tuple[str, dict[str, str]]:
    """A name that says nothing, and what stands for each slug that says who a team was.

    The slugs are those before the number in the addresses of its runs, and its own.
    """
    number, slug = living(db, name), team(db, name).slug
    of_runs = db.scalars(select(runs.c.slug).where(runs.c.team_id == number).order_by(runs.c.id))
    prefixes = dict.fromkeys((slug, *(run.rpartition("-")[0] for run in of_runs)))
    used = taken(db)
    names = set(db.scalars(select(teams.c.folded))) | set(db.scalars(select(aliases.c.folded)))
    k = 1
    while f"erased team {k}" in names or f"erased-team-{k}" in used:
        k += 1
    instead: dict[str, str] = {}
    for prefix in prefixes:
        if not _NAMELESS.fullmatch(prefix):
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
    gone = dict.fromkeys(("token", "affiliation", "contact", "tracks", "consent"))
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


def reword(db: Connection, words: Words) -> dict[str, int]:
    """Say in other words all that people wrote about runs, gold and teams.

    returns  how many rows of each table have changed
    """
    changed: dict[str, int] = {}
    for name, columns in _SAID.items():
        table = METADATA.tables[name]
        keys = list(table.primary_key.columns)
        given = [table.c[column] for column in columns]
        said = or_(*(column != "" for column in given))
        for row in db.execute(select(*keys, *given).where(said)).mappings().all():
            new = {c: _worded(c, row[c], words) for c in columns if row[c]}
            new = {c: text for c, text in new.items() if text != row[c]}
            if new:
                this = [key == row[key.name] for key in keys]
                db.execute(update(table).where(*this).values(new))
                changed[name] = changed.get(name, 0) + 1
    return changed


def _worded(column: str, text: str, words: Words) -> str:
    if column == "document":
        whole = json.loads(text)
        new = _each(whole, words)
        return text if new == whole else json_text(new)
    verb = re.match(r"[a-z]+ [a-z]+: ", text) if column == "what" else None
    return text[: verb.end()] + words(text[verb.end() :]) if verb else words(text)


def _each(value: Any, words: Words) -> Any:  # noqa: ANN401, it is what JSON holds
    """The same JSON with every text in it in other words; its keys are no texts."""
    match value:
        case str():
            return words(value)
        case list():
            return [_each(item, words) for item in value]
        case dict():
            return {key: _each(item, words) for key, item in value.items()}
    return value


def look(db: Connection, finds: Callable[[str], bool]) -> tuple[Place, ...]:
    """Every place that holds what ``finds`` finds, in the bytes of uploads too."""
    found = [
        Place(f"{table.name}.{column.name}", rows)
        for table in METADATA.sorted_tables
        for column in table.c
        if not {table.name, str(column)} & _SILENT
        if isinstance(column.type, Text) and column.name not in _DIGESTS
        if (rows := tuple(_rows(db, table, column.name, finds)))
    ]
    return (*found, *_in_bytes(db, finds))


def _rows(
    db: Connection, table: Table, column: str, finds: Callable[[str], bool]
) -> Iterator[str]:
    """Yield the tasks, or the things that are of none, in whose rows it is found."""
    text = table.c[column]
    owners = {"task_id": table, "gold_id": golds, "run_id": runs}
    key = next((key for key in owners if key in table.c), None)
    if key is None:
        rows = select(table.c.slug if "slug" in table.c else text, text)
    else:
        of = owners[key]
        through = table if of is table else table.join(of, of.c.id == table.c[key])
        rows = select(tasks.c.slug, text).select_from(
            through.join(tasks, tasks.c.id == of.c.task_id)
        )
    texts = db.execute(rows.where(text.is_not(None)).distinct())
    yield from dict.fromkeys(str(name) for name, said in sorted(texts.all()) if finds(str(said)))


def _in_bytes(db: Connection, finds: Callable[[str], bool]) -> Iterator[Place]:
    """Yield the runs in whose bytes it is found; one body is in memory at a time."""
    senders: dict[str, list[str]] = {}
    for row in _senders(db):
        senders.setdefault(row.sha256, []).append(f"{row.task}/{row.slug}")
    held = []
    for digest in sorted(db.scalars(select(payloads.c.sha256))):
        body = db.scalar(select(payloads.c.body).where(payloads.c.sha256 == digest))
        if finds(zlib.decompress(body or b"").decode(errors="replace")):
            held += senders.get(digest, [digest])
    if held:
        yield Place("payloads.body", tuple(sorted(held)))


def _senders(db: Connection) -> Sequence[Any]:
    """Whose bytes are whose, also those that a run had before it was amended."""
    now = select(runs.c.sha256, runs.c.slug, tasks.c.slug.label("task"))
    before = select(amendments.c.sha256, runs.c.slug, tasks.c.slug.label("task"))
    before = before.join(runs, runs.c.id == amendments.c.run_id)
    both = (of.join(tasks, tasks.c.id == runs.c.task_id) for of in (now, before))
    return [row for of in both for row in db.execute(of)]


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
            for table in (teams, aliases, runs, *(METADATA.tables[name] for name in _SAID)):
                raw.cursor().execute(f"VACUUM FULL {table.name}")
        finally:
            raw.close()
