"""Rules about columns and ids."""

from collections.abc import Iterator, Sequence
from itertools import repeat

from grader.check.layout import MOST_CLASSES, Layout
from grader.model import Gold, NotText, Problem, Sheet, Task  # noqa: F401, for the doctest
from grader.plural import counted
from grader.tasks.names import column_hint, did_you_mean, natural, no_header, spellings

SHOWN = 20  # missing ids named in the message
COMPARED = 50  # names that a missing column is compared with


def missing_column(at: Layout) -> Iterator[Problem]:
    """Columns that no line has; where none is there, the first line is no header."""
    if len(at.classes) > MOST_CLASSES:
        said = f"{len(at.classes)} columns of class probabilities; at most {MOST_CLASSES} are read"
        yield Problem("too-many-classes", said, 1, "p:*")
        return
    needed = [*_on_every_line(at), *(c for _, c in at.classes)]
    absent = [column for column in needed if column not in at.used]
    if absent == needed:
        yield Problem("missing-column", no_header(needed, at.names, at.lines[0]), 1, _id(at))
        return
    has = ", ".join(repr(n[:40]) for n in at.names[:12])
    for column in absent:
        hint = _meant(column, at.names, at)
        yield Problem("missing-column", f"no column {column!r}; there is {has}{hint}", 1, column)


def missing_key(at: Layout) -> Iterator[Problem]:
    """Records (of JSON) that lack what others have."""
    for column in () if at.sheet.plain else _on_every_line(at):
        for i, cell in enumerate(at.cells(column)):
            if cell is None:
                has = tuple(name for name in at.names[:COMPARED] if at.cells(name)[i] is not None)
                said = f"no {column!r}{_meant(column, has, at)}"
                yield Problem("missing-column", said, at.lines[i], column)


def _meant(column: str, names: Sequence[str], at: Layout) -> str:
    used = at.used
    return column_hint(column, [n for n in names[:COMPARED] if n not in used])


def _on_every_line(at: Layout) -> tuple[str, ...]:
    run = at.task.run
    if at.intervals:
        return (*run.id, run.lower, run.upper)
    return run.id if at.classes else (*run.id, run.answer, run.confidence)


def wrong_type(at: Layout) -> Iterator[Problem]:
    for column in () if at.sheet.plain else at.used:
        for i, cell in enumerate(at.cells(column)):
            if isinstance(cell, NotText):
                is_ = "null" if cell.kind == "null" else f"a {cell.kind}"
                said = f"{column!r} is {is_}: {_write(column, at)}"
                yield Problem("wrong-type", said, at.lines[i], column)


def _write(column: str, at: Layout) -> str:
    """What is to stand in a column of JSON instead of what is no text."""
    if column in at.task.run.id:
        return "write every id as a text"
    if column == at.task.run.answer:
        return "write every answer as a text"
    return "write a number"


def empty_id(at: Layout) -> Iterator[Problem]:
    for column in at.task.run.id if "" in at.places else ():
        for i, _ in at.where(column, lambda text: not text.strip()):
            yield Problem("empty-id", "the id is empty", at.lines[i], column)


def duplicate_id(at: Layout) -> Iterator[Problem]:
    if len(at.places) == len(at.ids):
        return
    first: dict[str, int] = {}
    for i, name in enumerate(at.ids):
        if name and (seen := first.setdefault(name, i)) != i:
            said = f"{name[:60]!r} is already {at.stands(seen)}"
            yield Problem("duplicate-id", said, at.lines[i], _id(at))


def unknown_id(at: Layout) -> Iterator[Problem]:
    if len(at.places) - ("" in at.places) == len(at.at) - at.at.count(None):
        return
    known = set(at.gold.ids)
    near: dict[str, str] = {}
    for i, name in enumerate(at.ids):
        if name in known or not name:
            continue
        near = near or spellings(at.gold.ids)
        said = f"{name[:60]!r} is no id of this task{did_you_mean(name, near)}"
        yield Problem("unknown-id", said, at.lines[i], _id(at))


def missing_id(at: Layout) -> Iterator[Problem]:
    absent = absentees(at)
    if absent and at.task.missing == "reject":
        yield Problem("missing-id", said_absent(absent, at), None, _id(at))


def absentees(at: Layout) -> tuple[str, ...]:
    """The ids that a run lacks, in gold order. Dropped instances need no answer."""
    if None not in at.at:
        return ()
    standings = at.gold.standings
    statuses = (s.status for s in standings) if standings else repeat("scored")
    every = zip(at.gold.ids, at.at, statuses, strict=False)
    return tuple(name for name, place, is_ in every if place is None and is_ != "dropped")


def said_absent(absent: Sequence[str], at: Layout) -> str:
    """How many instances are missing, and which.

    >>> said_absent(["q2"], Layout(Task("t", "T"), Gold(("q1", "q2"), (("a",), ("b",))), Sheet()))
    "1 of 2 instances is missing: 'q2'"
    """
    first = sorted(absent, key=natural)[:SHOWN]  # whatever the gold's order says
    some = ", ".join(map(repr, first)) + (", …" if len(absent) > SHOWN else "")
    is_ = "is" if len(absent) == 1 else "are"
    return f"{len(absent)} of {counted(len(at.gold.ids), 'instance')} {is_} missing: {some}"


def _id(at: Layout) -> str:
    return "+".join(at.task.run.id)
