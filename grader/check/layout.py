"""Which columns of a file the task reads, and what stands in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.confidence import Unreadable, read_confidence
from grader.model import Gold, Raw, Task


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a file the task reads. ``classes`` lists (label, column) in label order."""

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
    classes = dict(task.run.classes) or {n[2:]: n for n in names if n.startswith("p:")}
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
    """The confidence in a column; None if it is not one (which is a problem by itself)."""
    try:
        return read_confidence(text(raw, column), task)[0]
    except Unreadable:
        return None


def probabilities(raw: Raw, at: Layout) -> dict[str, float] | None:
    """The classes a line offers (a blank is a class not offered); None if one is unreadable."""
    given = {}
    for label, column in at.classes:
        if text(raw, column).strip():
            found = value(raw, column, at.task)
            if found is None:
                return None
            given[label] = found
    return given
