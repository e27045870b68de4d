"""Files that judges filled in, read strictly: all that is wrong is said at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.judging.known import (
    Brought,
    File,
    Known,
    Said,
    lacking,
    meant,
    numbers,
    records,
    refuse,
    text,
    written,
)
from grader.judging.sheets import ANSWER, ID, LABEL, LIKE, UNIT
from grader.judging.units import key
from grader.model import SAME, Problem, Raw, Unit

RUN = "run"


def read_filled(
    files: Sequence[File], known: Known, columns: Sequence[str], before: Mapping[Unit, str]
) -> Brought:
    """What a judge's files say of units; blank labels are left for later, and counted.

    A row is known by its key, else by its id and answer, or where each run is judged by itself by
    its id and run.

    columns  further numbers to be kept
    before   the labels that the judge gave earlier, which the same answer may get

    raises   Mistake, naming everything that is wrong, with file and line
    """
    reading = _Reading(known, columns, before)
    for file in files:
        reading.file(file)
    reading.settle()
    refuse(reading.problems)
    said = {u: s for u, s in reading.said.items() if s.label != SAME}
    return Brought(said, reading.left)


@dataclass(slots=True)
class _Reading:
    known: Known
    columns: Sequence[str]
    before: Mapping[Unit, str]
    said: dict[Unit, Said] = field(default_factory=dict)
    like: dict[Unit, str] = field(default_factory=dict)
    left: int = 0
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    def file(self, file: File) -> None:
        """Read a file's rows."""
        wrong: list[Problem] = []
        raws = records(file, wrong)
        keyed = any(UNIT in raw.fields for raw in raws)
        by = (UNIT,) if keyed else (ID, RUN if self._apart else ANSWER)
        wrong += lacking(raws, (*by, LABEL, *self.columns))
        for raw in raws if not wrong else ():
            unit = self._keyed(raw) if keyed else self._named(raw)
            if isinstance(unit, Problem):
                wrong.append(unit)
            else:
                self._row(file.name, raw, unit, wrong)
        self.problems += ((file.name, p) for p in wrong)

    @property
    def _apart(self) -> bool:
        return self.known.task.judging.unit == "run"

    def _keyed(self, raw: Raw) -> Unit | Problem:
        """The unit of a row by its key, if what stands beside it is the unit's own."""
        mine = text(raw, UNIT)
        unit = self.known.keys.get(mine) or self._gone(raw, mine)
        if unit is None:
            said = f"{mine[:40]!r} is no unit of this task"
            return Problem("unknown-unit", said, raw.line)
        for column, its in ((ID, unit.id), (ANSWER, unit.answer)):
            said, *other = written(raw, column)
            if column in raw.fields and its not in (said, *other):
                why = (
                    f"{column} is {said[:40]!r}, and that of the unit is {its[:40]!r}: were the "
                    "columns sorted apart, or did a spreadsheet change the cell? Put it back"
                )
                return Problem("other-unit", why, raw.line)
        return unit

    def _gone(self, raw: Raw, mine: str) -> Unit | None:
        """The unit of a row that no run gives any more: its own cells make its key."""
        for name, answer in zip(written(raw, ID), written(raw, ANSWER), strict=True):
            unit = Unit(name, answer)
            if not self._apart and key(self.known.salt, unit) == mine:
                return unit
        return None

    def _named(self, raw: Raw) -> Unit | Problem:
        """The unit of a row without a key."""
        name, other = text(raw, ID), text(raw, RUN if self._apart else ANSWER)
        if not self._apart:
            for each in zip(written(raw, ID), written(raw, ANSWER), strict=True):
                if (unit := self.known.texts.get(each)) is not None:
                    return unit
            texts, there = self.known.texts, name in self.known.places
            among = (
                (lambda: (a for i, a in texts if i == name)) if there else self.known.places.keys
            )
            hint = self.known.hint(other if there else name, among)
            said = f"no run answers {other[:40]!r} to {name[:40]!r}{hint}"
            return Problem("unknown-unit", said, raw.line)
        return unit_of(self.known, name, other, raw.line)

    def _row(self, file: str, raw: Raw, unit: Unit, wrong: list[Problem]) -> None:
        label = text(raw, LABEL)
        mine = numbers(raw, self.columns, wrong)
        if not label:
            self.left += 1
            if mine:
                said = "the row has numbers and no label"
                wrong.append(Problem("no-label", said, raw.line))
            return
        labels = (*self.known.task.judging.labels, SAME)
        if label not in labels:
            said = f"{label[:40]!r} is none of {', '.join(map(repr, labels))}"
            wrong.append(Problem("unknown-label", said + meant(label, labels), raw.line))
            return
        now = Said(label, mine, file, raw.line)
        first = self.said.setdefault(unit, now)
        if (first.label, first.columns) != (now.label, now.columns):
            where = f"{first.file}:{first.line}"
            said = f"{unit.answer[:40]!r} to {unit.id!r} is {first.label!r} at {where}"
            wrong.append(Problem("two-labels", f"{label!r}, and {said}", raw.line))
        self.like[unit] = text(raw, LIKE)

    def settle(self) -> None:
        """Give the rows that say ``same`` the label of what they are like."""
        for unit in [u for u, s in self.said.items() if s.label == SAME]:
            mine = self.said[unit]
            label = self._settled(unit)
            if label:
                self.said[unit] = Said(label, mine.columns, mine.file, mine.line)
                continue
            why = f"{unit.answer[:40]!r} is to get the label of another answer, which has none"
            self.problems.append((mine.file, Problem("same-as-none", why, mine.line)))

    def _settled(self, unit: Unit) -> str:
        """The label at the end of a chain of rows; empty if there is none."""
        seen: set[Unit] = set()
        at: Unit | None = unit
        while at is not None and at not in seen:
            seen.add(at)
            label = self.said[at].label if at in self.said else self.before.get(at, "")
            if label != SAME:
                return label
            at = self.known.keys.get(self.like.get(at, ""))
        return ""


def unit_of(known: Known, name: str, run: str, line: int) -> Unit | Problem:
    """What a run answers to an instance, if there is something to judge."""
    its = known.slugs.get(run)
    if its is None:
        said = f"there is no run {run[:40]!r}{known.hint(run, known.slugs.keys)}"
        return Problem("unknown-run", said, line, RUN)
    place = known.places.get(name)
    if place is None:
        said = f"{name[:40]!r} is no id of this task{known.hint(name, known.places.keys)}"
        return Problem("unknown-id", said, line, ID)
    unit = its.units[place]
    if unit is None:
        return Problem("no-unit", f"{run!r} gives {name!r} no answer that is to be judged", line)
    return unit
