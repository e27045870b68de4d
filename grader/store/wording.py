"""What people wrote, said in other words; and where in a database a word still stands."""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, Text, or_, select, update

from grader.store.golds import json_text
from grader.store.schema import METADATA, amendments, golds, payloads, runs, tasks

Words = Callable[[str], str]
# What people wrote about others.
SAID = {
    "log": ("what", "why", "who"),
    "run_flags": ("why",),
    "refusals": ("remark",),
    "amendments": ("why",),
    "extensions": ("why",),
    "releases": ("name", "why", "document"),
    "disputes": ("said", "answer"),
    "judgements": ("why",),
    "golds": ("reason", "who"),
    "instances": ("reason", "who"),
}
_SPOKEN = {"why", "reason", "who", "flags"}  # keys of a document that hold what people said
# What is said there is of other teams, or by nobody.
_SILENT = {"scorecards", "teams", "aliases", "payloads", "runs.slug", "log.verb"}
_DIGESTS = {"sha256", "content", "commitment", "reliability", "settings", "analysis", "token"}


class Place(NamedTuple):
    """Where a name still stands: a column of a table, and which of its rows by what they are."""

    column: str
    rows: tuple[str, ...]


def reword(db: Connection, words: Words) -> dict[str, int]:
    """Say in other words all that people wrote about runs, gold and teams.

    returns  how many rows of each table have changed
    """
    changed: dict[str, int] = {}
    for name, columns in SAID.items():
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
        new = _each(whole, words, spoken=False)
        return text if new == whole else json_text(new)
    if (column, text) == ("who", "organiser"):
        return text  # whatever a team is called, this is nobody's name
    return words(text)


def _each(value: Any, words: Words, *, spoken: bool) -> Any:  # noqa: ANN401, what JSON holds
    """The same JSON with what people said in it, under those keys, in other words."""
    match value:
        case str() if spoken:
            return words(value)
        case list():
            return [_each(item, words, spoken=spoken) for item in value]
        case dict():
            return {k: _each(v, words, spoken=spoken or k in _SPOKEN) for k, v in value.items()}
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
