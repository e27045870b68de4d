"""Which columns of a file the task reads, and what stands in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.confidence import Unreadable, unrounded
from grader.model import Gold, NotText, Raw, Task


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a file the task reads.

    ``classes`` lists (label, column) in the task's declared order, else by label: the order of
    columns and lines in a file decides nothing.
    """

    task: Task
    gold: Gold
    names: tuple[str, ...]
    classes: tuple[tuple[str, str], ...]

    @property
    def answered(self) -> bool:
        return self.task.run.answer in self.names

    @property
    def stated(self) -> bool:
        return self.task.run.confidence in self.names

    @property
    def used(self) -> tuple[str, ...]:
        run = self.task.run
        wanted = (*run.id, run.answer, run.confidence, *(c for _, c in self.classes))
        return tuple(c for c in wanted if c in self.names)


def layout(raws: Sequence[Raw], task: Task, gold: Gold) -> Layout:
    names = tuple(dict.fromkeys(name for raw in raws for name in raw.fields))
    classes = dict(task.run.classes) or {n[2:]: n for n in sorted(names) if n.startswith("p:")}
    order = [
        *(x for x in task.labels if x in classes),
        *(x for x in classes if x not in task.labels),
    ]
    return Layout(task, gold, names, tuple((x, classes[x]) for x in order))


def text(raw: Raw, column: str) -> str:
    """A field that is a text; empty if it is absent, or no text (which is a problem by itself)."""
    value = raw.fields.get(column, "")
    return value if isinstance(value, str) else ""


def value(raw: Raw, column: str, task: Task) -> float | None:
    """The unrounded confidence in a column; None if it is not one (a problem by itself)."""
    try:
        return float(unrounded(text(raw, column), task)[0])
    except Unreadable:
        return None


def probabilities(raw: Raw, at: Layout) -> dict[str, float] | None:
    """The classes a line offers (a blank is a class not offered); None if one is unreadable.

    Unrounded: three thirds rounded to the task's ``precision`` would not add up to 1.
    """
    given = {}
    for label, column in at.classes:
        cell = raw.fields.get(column, "")
        if isinstance(cell, NotText):
            return None
        if cell.strip():
            found = value(raw, column, at.task)
            if found is None:
                return None
            given[label] = found
    return given


def answer(raw: Raw, at: Layout, given: Mapping[str, float]) -> str:
    """The answer of a line; in a file without answers its likeliest class, ties to the first."""
    return text(raw, at.task.run.answer) if at.answered else max(given, key=given.__getitem__)
