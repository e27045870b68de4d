"""Which columns of a file the task reads, and what stands in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.confidence import Unreadable, unrounded
from grader.model import Gold, NotText, Raw, Task

MOST_CLASSES = 1000  # columns of class probabilities: a sender can make up as many as he likes
Given = Mapping[str, float]  # the probability of each class that a line offers


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a file the task reads.

    ``classes`` lists (label, column) in the task's declared order, else by label: the order of
    columns and lines in a file decides nothing. ``given`` has the class probabilities of each
    record, in the file's order, None where one of them is unreadable; it is empty without classes.
    ``used`` are the columns of the file that the task reads.
    """

    task: Task
    gold: Gold
    names: tuple[str, ...]
    classes: tuple[tuple[str, str], ...]
    given: tuple[Given | None, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def intervals(self) -> bool:
        return self.task.kind == "interval"

    @property
    def answered(self) -> bool:
        return self.task.run.answer in self.used and not self.intervals

    @property
    def stated(self) -> bool:
        return self.task.run.confidence in self.used

    def offers(self, raws: Sequence[Raw]) -> Iterator[tuple[Raw, Given | None]]:
        """Yield each record with the classes it offers; nothing without classes."""
        return zip(raws, self.given, strict=True) if self.classes else iter(())


def layout(raws: Sequence[Raw], task: Task, gold: Gold) -> Layout:
    names = tuple(dict.fromkeys(name for raw in raws for name in raw.fields))
    classes = {} if task.kind == "interval" else _classes(task, names)
    order = [
        *(x for x in task.labels if x in classes),
        *(x for x in classes if x not in task.labels),
    ]
    pairs = tuple((x, classes[x]) for x in order)
    few = len(pairs) <= MOST_CLASSES  # a file of more is refused before they are read
    given = tuple(_probabilities(raw, pairs, task) for raw in raws) if pairs and few else ()
    run, known = task.run, frozenset(names)
    sure = (run.lower, run.upper) if task.kind == "interval" else (run.confidence,)
    wanted = (*run.id, run.answer, *sure, *(c for _, c in pairs))
    return Layout(task, gold, names, pairs, given, tuple(c for c in wanted if c in known))


def _classes(task: Task, names: Sequence[str]) -> Mapping[str, str]:
    """The column of each class; none in a file of answers and confidences alone."""
    mapped = task.run.classes
    if not mapped:
        return {n[2:]: n for n in sorted(names) if n.startswith("p:")}
    plain = task.run.answer in names and task.run.confidence in names
    return {} if plain and not set(mapped.values()) & set(names) else mapped


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


def _probabilities(raw: Raw, classes: Sequence[tuple[str, str]], task: Task) -> Given | None:
    """The classes a line offers (a blank is a class not offered); None if one is unreadable.

    Unrounded: three thirds rounded to the task's ``precision`` would not add up to 1.
    """
    given = {}
    for label, column in classes:
        cell = raw.fields.get(column, "")
        if isinstance(cell, NotText):
            return None
        if cell.strip():
            found = value(raw, column, task)
            if found is None:
                return None
            given[label] = found
    return given


def answer(raw: Raw, task: Task, given: Given) -> str:
    """The answer of a line; of one that gives none, its likeliest class, ties to the first.

    An answer that is there and blank is blank; so is one of no classes.
    """
    if task.run.answer in raw.fields or not given:
        return text(raw, task.run.answer)
    return max(given, key=given.__getitem__)
