"""Rules about columns and ids."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from grader.check.layout import Layout, text
from grader.model import Gold, NotText, Problem, Raw, Task  # noqa: F401, for the doctest
from grader.tasks.gold import identity

SHOWN = 20  # missing ids named in the message


def missing_column(_: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Columns that no line has."""
    lines = _on_every_line(at)
    needed = [*lines, *(c for _, c in at.classes)]
    for column in needed:
        if column not in at.names:
            near = get_close_matches(column, [n for n in at.names if n not in needed], 1, 0.7)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            has = ", ".join(repr(n[:40]) for n in at.names[:12])
            yield Problem(
                "missing-column", f"no column {column!r}; there is {has}{hint}", 1, column
            )


def missing_key(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Lines (of JSON) that lack what others have."""
    needed = _on_every_line(at)
    for raw in raws:
        for column in needed:
            if column not in raw.fields:
                yield Problem("missing-column", f"no {column!r}", raw.line, column)


def _on_every_line(at: Layout) -> tuple[str, ...]:
    run = at.task.run
    return run.id if at.classes else (*run.id, run.answer, run.confidence)


def not_text(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    used = at.used
    for raw in raws:
        for column in used:
            value = raw.fields.get(column)
            if isinstance(value, NotText):
                yield Problem("not-text", f"{column!r} is a {value.kind}", raw.line, column)


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
    loose: dict[str, str] = {}
    for raw, name in _identified(raws, at):
        if name in known:
            continue
        loose = loose or {_loose(i): i for i in at.gold.ids}
        near = loose.get(_loose(name))
        hint = f"; did you mean {near!r}?" if near else ""
        said = f"{name[:60]!r} is no id of this task{hint}"
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
    return f"{len(absent)} of {len(at.gold.ids)} instances {is_} missing: {some}"


def _identified(raws: Sequence[Raw], at: Layout) -> Iterator[tuple[Raw, str]]:
    """Yield each record that has a whole id, with that id; the others are told by `empty_id`."""
    columns = at.task.run.id
    for raw in raws:
        if all(text(raw, column).strip() for column in columns):
            yield raw, identity(raw, columns)


def _loose(name: str) -> str:
    return name.casefold().lstrip("0").replace("-", "_").replace(" ", "")


def _id(at: Layout) -> str:
    return "+".join(at.task.run.id)
