"""Rules about columns and ids."""

from collections.abc import Iterator, Sequence

from grader.check.layout import MOST_CLASSES, Layout, text
from grader.model import Gold, NotText, Problem, Raw, Task  # noqa: F401, for the doctest
from grader.plural import counted
from grader.tasks.names import column_hint, did_you_mean, identity, no_header, spellings

SHOWN = 20  # missing ids named in the message
COMPARED = 50  # names that a missing column is compared with


def missing_column(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Columns that no line has; where none is there, the first line is no header."""
    if len(at.classes) > MOST_CLASSES:
        said = f"{len(at.classes)} columns of class probabilities; at most {MOST_CLASSES} are read"
        yield Problem("too-many-classes", said, 1, "p:*")
        return
    lines = _on_every_line(at)
    needed = [*lines, *(c for _, c in at.classes)]
    absent = [column for column in needed if column not in at.used]
    if absent == needed:
        yield Problem("missing-column", no_header(needed, at.names, raws[0].line), 1, _id(at))
        return
    has = ", ".join(repr(n[:40]) for n in at.names[:12])
    for column in absent:
        hint = _meant(column, at.names, at)
        yield Problem("missing-column", f"no column {column!r}; there is {has}{hint}", 1, column)


def missing_key(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Lines (of JSON) that lack what others have."""
    needed = _on_every_line(at)
    for raw in raws:
        for column in needed:
            if column not in raw.fields:
                hint = _meant(column, tuple(raw.fields), at)
                yield Problem("missing-column", f"no {column!r}{hint}", raw.line, column)


def _meant(column: str, names: Sequence[str], at: Layout) -> str:
    used = at.used
    return column_hint(column, [n for n in names[:COMPARED] if n not in used])


def _on_every_line(at: Layout) -> tuple[str, ...]:
    run = at.task.run
    if at.intervals:
        return (*run.id, run.lower, run.upper)
    return run.id if at.classes else (*run.id, run.answer, run.confidence)


def not_text(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    used = at.used
    for raw in raws:
        for column in used:
            value = raw.fields.get(column)
            if isinstance(value, NotText):
                is_ = "null" if value.kind == "null" else f"a {value.kind}"
                said = f"{column!r} is {is_}: {_write(column, at)}"
                yield Problem("not-text", said, raw.line, column)


def _write(column: str, at: Layout) -> str:
    """What is to stand in a column of JSON instead of what is no text."""
    if column in at.task.run.id:
        return "write every id as a text"
    if column == at.task.run.answer:
        return "write every answer as a text"
    return "write a number"


def empty_id(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    for raw in raws:
        for column in at.task.run.id:
            if not text(raw, column).strip():
                yield Problem("empty-id", "the id is empty", raw.line, column)


def duplicate_id(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for raw, name in _identified(raws, at):
        seen = first.setdefault(name, raw.line)
        if seen != raw.line:
            said = f"{name[:60]!r} is already on line {seen}"
            yield Problem("duplicate-id", said, raw.line, _id(at))


def unknown_id(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    known = set(at.gold.ids)
    near: dict[str, str] = {}
    for raw, name in _identified(raws, at):
        if name in known:
            continue
        near = near or spellings(at.gold.ids)
        said = f"{name[:60]!r} is no id of this task{did_you_mean(name, near)}"
        yield Problem("unknown-id", said, raw.line, _id(at))


def missing_id(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    absent = absentees(raws, at)
    if absent and at.task.missing == "reject":
        yield Problem("missing-id", said_absent(absent, at), None, _id(at))


def absentees(raws: Sequence[Raw], at: Layout) -> tuple[str, ...]:
    """The ids that a run lacks, in gold order. Dropped instances need no answer."""
    sent = {name for _, name in _identified(raws, at)}
    standings = at.gold.standings
    needed = (
        (s.status != "dropped" for s in standings) if standings else (True for _ in at.gold.ids)
    )
    return tuple(i for i, n in zip(at.gold.ids, needed, strict=True) if n and i not in sent)


def said_absent(absent: Sequence[str], at: Layout) -> str:
    """How many instances are missing, and which.

    >>> said_absent(["q2"], Layout(Task("t", "T"), Gold(("q1", "q2"), (("a",), ("b",))), (), ()))
    "1 of 2 instances is missing: 'q2'"
    """
    some = ", ".join(map(repr, absent[:SHOWN])) + (", …" if len(absent) > SHOWN else "")
    is_ = "is" if len(absent) == 1 else "are"
    return f"{len(absent)} of {counted(len(at.gold.ids), 'instance')} {is_} missing: {some}"


def _identified(raws: Sequence[Raw], at: Layout) -> Iterator[tuple[Raw, str]]:
    """Yield each record that has a whole id, with that id; the others are told by `empty_id`."""
    columns = at.task.run.id
    for raw in raws:
        if all(text(raw, column).strip() for column in columns):
            yield raw, identity(raw, columns)


def _id(at: Layout) -> str:
    return "+".join(at.task.run.id)
