"""Which columns of a file the task reads, and what stands in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from grader.confidence import confidences, probabilities
from grader.judge import abstains
from grader.model import BoolArray, Cell, FloatArray, Gold, IntArray, NotText, Sheet, Task
from grader.tasks.names import joined

MOST_CLASSES = 1000  # columns of class probabilities: a sender can make up as many as he likes


@dataclass(frozen=True)
class Layout:
    """A file's records by the columns that its task reads; record i stands at place i of each."""

    task: Task
    gold: Gold
    sheet: Sheet
    apart: bool = False

    @cached_property
    def lines(self) -> Sequence[int]:
        return self.sheet.lines

    def stands(self, i: int) -> str:
        """Where a record stands, in words."""
        return f"there, as item {i + 1}" if self.apart else f"on line {self.lines[i]}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.sheet.columns)

    @cached_property
    def classes(self) -> tuple[tuple[str, str], ...]:
        """The label and column of each class, in the task's declared order, else by label.

        None in a file of answers and confidences alone. The order of a file's columns and lines
        decides nothing.
        """
        if self.intervals:
            return ()
        run, names = self.task.run, frozenset(self.names)
        found: Mapping[str, str] = run.classes
        if not found:
            found = {n[2:]: n for n in sorted(names) if n.startswith("p:")}
        elif {run.answer, run.confidence} <= names and not names & set(found.values()):
            found = {}
        labels = self.task.labels
        order = [*(x for x in labels if x in found), *(x for x in found if x not in labels)]
        return tuple((x, found[x]) for x in order)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The columns of the file that the task reads."""
        run, known = self.task.run, frozenset(self.names)
        sure = (run.lower, run.upper) if self.intervals else (run.confidence,)
        wanted = (*run.id, run.answer, *sure, *(c for _, c in self.classes))
        return tuple(c for c in wanted if c in known)

    @property
    def intervals(self) -> bool:
        return self.task.kind == "interval"

    @property
    def answered(self) -> bool:
        return self.task.run.answer in self.used and not self.intervals

    @property
    def stated(self) -> bool:
        return self.task.run.confidence in self.used

    @cached_property
    def _kept(self) -> dict[str, Sequence[Cell]]:
        return {}

    def cells(self, column: str) -> Sequence[Cell]:
        """A column as it was written."""
        if column not in self._kept:
            none = [None] * len(self.lines)
            self._kept[column] = self.sheet.columns.get(column, none)
        return self._kept[column]

    @cached_property
    def _texts(self) -> dict[str, Sequence[str]]:
        return {}

    def texts(self, column: str) -> Sequence[str]:
        """A column's texts; empty where a field is absent, or no text (a problem by itself)."""
        if self.sheet.plain and column in self.sheet.columns:
            return cast("Sequence[str]", self.sheet.columns[column])
        if column not in self._texts:
            cells = self.cells(column)
            self._texts[column] = [cell if isinstance(cell, str) else "" for cell in cells]
        return self._texts[column]

    def where(self, column: str, wrong: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
        """Yield the places and texts of a column that are wrong; each text is judged once."""
        texts = self.texts(column)
        if bad := {text for text in set(texts) if wrong(text)}:
            yield from ((i, text) for i, text in enumerate(texts) if text in bad)

    @cached_property
    def ids(self) -> Sequence[str]:
        """The id of each record, as the gold spells it if formats allow; empty if not whole."""
        parts = [list(map(str.strip, self.texts(column))) for column in self.task.run.id]
        ids = parts[0]
        if len(parts) > 1:
            ids = [joined(each) if all(each) else "" for each in zip(*parts, strict=True)]
        if self.sheet.spelling is None:
            return ids
        known, shared = set(self.gold.ids), dict[str, str]()
        for name in self.gold.ids:
            spelt = self.sheet.spelling(name)
            shared[spelt] = "" if spelt in shared else name  # of two that share it, neither
        return [i if i in known or not i else shared.get(self.sheet.spelling(i)) or i for i in ids]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each id; of one that comes again, its last."""
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    @cached_property
    def at(self) -> Sequence[int | None]:
        """In gold order, the place of each instance's record; None where there is none."""
        return list(map(self.places.get, self.gold.ids))

    @cached_property
    def table(self) -> FloatArray:
        """Shape (n, classes): what each record offers, unrounded; NaN where it offers nothing.

        Three thirds rounded to the task's ``precision`` would not add up to 1.
        """
        columns = [probabilities(self.texts(column), self.task) for _, column in self.classes]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.lines), 0))

    @cached_property
    def unread(self) -> BoolArray:
        """Shape (n,): where a probability is there and is none."""
        found = np.zeros(len(self.lines), dtype=np.bool_)
        for (_, column), read in zip(self.classes, self.table.T, strict=True):
            cells = self.cells(column)
            for i in np.flatnonzero(np.isnan(read)).tolist():
                cell = cells[i]
                found[i] |= isinstance(cell, NotText) or bool((cell or "").strip())
        return found

    @cached_property
    def answers(self) -> Sequence[str]:
        """The answer of each record; of one that gives none, its likeliest class.

        Ties go to the first. An answer that is there and blank is blank; so is one of no classes.
        """
        stated = self.cells(self.task.run.answer)
        texts = self.texts(self.task.run.answer)
        if not self.classes or None not in stated:
            return texts
        offered = (~np.isnan(self.table)).sum(axis=1).tolist()
        likeliest = np.where(np.isnan(self.table), -1.0, self.table).argmax(axis=1).tolist()
        return [
            text if cell is not None or not offered[i] else self.classes[likeliest[i]][0]
            for i, (cell, text) in enumerate(zip(stated, texts, strict=True))
        ]

    @cached_property
    def own(self) -> IntArray:
        """Shape (n,): the class whose probability is the answer's confidence; −1 for none."""
        place = {label: k for k, (label, _) in enumerate(self.classes)}
        own = np.array([place.get(text, -1) for text in self.answers], dtype=np.intp)
        offered = ~np.isnan(self.table[np.arange(len(own)), own])
        return np.where((own >= 0) & offered, own, -1)

    @cached_property
    def sure(self) -> FloatArray:
        """Shape (n,): the unrounded confidence stated beside each answer; NaN where none is."""
        return probabilities(self.texts(self.task.run.confidence), self.task)

    @cached_property
    def confidences(self) -> FloatArray:
        """Shape (n,): how sure each record is of its answer, rounded as the task asks."""
        if self.task.precision is not None:
            return confidences(self.sayings, self.task)
        if not self.classes:
            return self.sure
        offered = self.table[np.arange(len(self.own)), self.own]
        return np.where(self.own >= 0, offered, self.sure)

    @cached_property
    def sayings(self) -> Sequence[str]:
        """The text of each record's confidence: its answer's probability, else what is stated."""
        stated = self.texts(self.task.run.confidence)
        if not self.classes:
            return stated
        columns = [self.texts(column) for _, column in self.classes]
        return [columns[k][i] if k >= 0 else stated[i] for i, k in enumerate(self.own.tolist())]

    def refuses(self, place: int) -> bool:
        """Whether a record gives an answer, and it declines: by its form, or by its text."""
        if place in self.sheet.refusals:
            return True
        given = self.cells(self.task.run.answer)[place]
        return given is not None and self._declines(self.answers[place])

    @cached_property
    def _declines(self) -> Callable[[str], bool]:
        return abstains(self.task)
