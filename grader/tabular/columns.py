"""Long tables as files: columns of one kind, as CSV and as JSON."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from grader.spreadsheet import neutral

Plain = str | float | None
_Spelled = TypeVar("_Spelled", str, bytes)


@dataclass(frozen=True)
class Series:
    """A column; None where undefined. Its numbers are of one type, and none is a minus zero."""

    name: str
    kind: Literal["double", "integer", "text"]
    cells: Sequence[Plain]

    def spelled(self, spell: Callable[[Plain], _Spelled]) -> list[_Spelled]:
        """What each cell is spelled as; what stands in many cells is spelled once."""
        known = {cell: spell(cell) for cell in self.different}
        return list(map(known.__getitem__, self.cells))

    @cached_property
    def different(self) -> frozenset[Plain]:
        """What stands in its cells."""
        return frozenset(self.cells)


def csv(columns: Sequence[Series]) -> str:
    """The rows as CSV, every cell in quotes; what is undefined is an empty cell.

    A text that a spreadsheet would run as a formula gets a ``'`` in front.
    """
    head = ",".join(_quoted(column.name) for column in columns)
    ends = [*("," for _ in columns[1:]), "\n"]
    return f"{head}\n{_printed(columns, _quoted, ['' for _ in columns], ends)}"


def records(columns: Sequence[Series]) -> str:
    """The rows as objects of JSON, a line for each, with a comma after all but the last."""
    starts = [f"{', ' if i else '{'}{as_json(c.name)}: " for i, c in enumerate(columns)]
    ends = [*("" for _ in columns[1:]), "},\n"]
    return _printed(columns, as_json, starts, ends).removesuffix(",\n")


def _printed(
    columns: Sequence[Series],
    spell: Callable[[Plain], str],
    starts: Sequence[str],
    ends: Sequence[str],
) -> str:
    """The cells row by row, each as it is spelled, between the start and the end of its column."""
    made, many = [""] * (len(columns) * len(columns[0].cells)), len(columns)
    for i, (column, start, end) in enumerate(zip(columns, starts, ends, strict=True)):
        known = {cell: f"{start}{spell(cell)}{end}" for cell in column.different}
        made[i::many] = map(known.__getitem__, column.cells)
    return "".join(made)


def _quoted(cell: Plain) -> str:
    if not isinstance(cell, str):
        return '""' if cell is None else f'"{cell!r}"'
    text = neutral(cell).replace('"', '""')
    return f'"{text}"'


as_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
