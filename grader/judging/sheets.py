"""The files that judges fill in."""

import csv
import io
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.errors import Mistake
from grader.formats import read
from grader.judging.alike import alike
from grader.judging.units import key
from grader.model import SAME, Gold, Problem, Raw, Task, Unit
from grader.plural import counted
from grader.spreadsheet import guarded
from grader.tasks.names import identity

UNIT, ID, ANSWER, LABEL, LIKE = "unit", "id", "answer", "label", "like"
NUGGETS, LIKE_ANSWER = "nuggets", "like answer"
OURS = (UNIT, ID, ANSWER, NUGGETS, LIKE, LIKE_ANSWER, LABEL)


@dataclass(frozen=True, slots=True)
class Context:
    """Columns that help to judge, by their names and then the instance's id."""

    columns: tuple[str, ...] = ()
    cells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, name: str) -> Mapping[str, str]:
        """An instance's cells by column; blank where the file has none."""
        cells = self.cells.get(name, ("",) * len(self.columns))
        return dict(zip(self.columns, cells, strict=True))


@dataclass(frozen=True, slots=True)
class Binding:
    """How judges' files are made.

    ``batch`` units to a file, more only where an instance has more; ``asked`` are columns for
    further numbers; ``lines``: JSON Lines, and no CSV.
    """

    salt: bytes
    context: Context = field(default_factory=Context)
    asked: tuple[str, ...] = ()
    batch: int | None = None
    lines: bool = False
    nuggets: Mapping[Unit, tuple[str, ...]] | None = None


def context_of(task: Task, gold: Gold, payload: bytes, name: str) -> tuple[Context, str]:
    """The columns of a file that is joined by id.

    returns  them, and what to note: ids of the gold that are not in the file
    raises   Mistake, for a file that is no table, lacks the ids, repeats one, or has a column of
             our own
    """
    found = list(read(payload))
    if wrong := [r for r in found if isinstance(r, Problem)]:
        said = [f"{name}:{p.line or 1}: {p.code}: {p.message}" for p in wrong[:10]]
        raise Mistake(f"{name} cannot be read", *said)
    raws = [r for r in found if isinstance(r, Raw)]
    names = list(dict.fromkeys(n for raw in raws for n in raw.fields))
    ids = list(task.gold.id) if set(task.gold.id) <= set(names) else [ID]
    if not set(ids) <= set(names):
        raise Mistake(f"{name} has no column {task.gold.id[0]!r}: it is joined by the ids")
    columns = tuple(n for n in names if n not in ids)
    if taken := [n for n in columns if n in OURS]:
        raise Mistake(f"{name} has a column {taken[0]!r}, which judges' files have too: rename it")
    cells: dict[str, tuple[str, ...]] = {}
    for raw in raws:
        if (mine := identity(raw, ids)) in cells:
            raise Mistake(f"{name}:{raw.line}: {mine!r} stands twice")
        cells[mine] = tuple(_shown(raw, n) for n in columns)
    lost = [n for n in gold.ids if n not in cells]
    many = counted(len(lost), "instance")
    note = f"{name} has nothing on {many}, {lost[0]!r} the first" if lost else ""
    return Context(columns, cells), note


def _shown(raw: Raw, column: str) -> str:
    cell = raw.fields.get(column, "")
    return cell if isinstance(cell, str) else "; ".join(cell.items)


def files(
    units: Sequence[Unit], before: Sequence[Unit], binding: Binding
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file of a judge.

    units   in the order in which they are judged
    before  what the judge has judged already: what is new may equal that
    """
    nuggets = binding.nuggets
    texts = {u: " ".join((u.answer, *(nuggets or {}).get(u, ()))) for u in (*before, *units)}
    near = alike((*before, *units), texts)
    batches = tuple(_batches(units, binding.batch))
    width = max(2, len(str(len(batches))))
    for number, batch in enumerate(batches, 1):
        rows = [_row(unit, near.get(unit), binding) for unit in batch]
        name = f"batch-{number:0{width}}.{'jsonl' if binding.lines else 'csv'}"
        yield name, _lines(rows) if binding.lines else _table(rows)


def _batches(units: Sequence[Unit], most: int | None) -> Iterator[list[Unit]]:
    """Yield units in batches; the answers to a question stay together where they fit."""
    batch: list[Unit] = []
    for some in _by_instance(units):
        if batch and most is not None and len(batch) + len(some) > most:
            yield batch
            batch = []
        batch += some
    if batch:
        yield batch


def _by_instance(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    some: list[Unit] = []
    for unit in units:
        if some and some[0].id != unit.id:
            yield some
            some = []
        some.append(unit)
    if some:
        yield some


def _row(unit: Unit, like: Unit | None, binding: Binding) -> dict[str, object]:
    row: dict[str, object] = {UNIT: key(binding.salt, unit), ID: unit.id}
    row |= {**binding.context.of(unit.id), ANSWER: unit.answer}
    if binding.nuggets is not None:
        row[NUGGETS] = list(binding.nuggets.get(unit, ()))
    row |= {LIKE: "", LIKE_ANSWER: "", LABEL: "", **dict.fromkeys(binding.asked, "")}
    if like is not None:
        row |= {LIKE: key(binding.salt, like), LIKE_ANSWER: like.answer}
    return row


def _table(rows: Sequence[Mapping[str, object]]) -> bytes:
    """CSV for spreadsheets, which know UTF-8 by its mark; no cell of it is run as a formula."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(map(guarded, rows[0]))
    writer.writerows([guarded(_cell(c)) for c in row.values()] for row in rows)
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def _cell(value: object) -> str:
    return "\n".join(value) if isinstance(value, list) else str(value)


def _lines(rows: Sequence[Mapping[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def guide(task: Task, judge: str, asked: Sequence[str]) -> str:
    """What a judge should know, beside the files."""
    judging = task.judging
    labels = "\n".join(f"- `{label}`" for label in judging.labels)
    numbers = f" Write numbers into {', '.join(f'`{n}`' for n in asked)}." if asked else ""
    columns = "".join(f" --column {shlex.quote(name)}" for name in asked)
    return f"""# Judging: {task.title}

Write one of these labels into the column `{LABEL}` of every row:

{labels}
- `{SAME}`: the answer is the same as the one in `{LIKE_ANSWER}`, and gets its label

`{judging.bad}` speaks of the question, not of one answer. Leave the label blank to judge a row
later.{numbers} Do not change the other columns. A `'` in front of a cell keeps spreadsheets from
running it; it is not part of the answer.

When you have done some or all of it, send the files back. They are read by:

    grader judge import {task.slug} batch-*.* --judge {shlex.quote(judge)}{columns}
"""
