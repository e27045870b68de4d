"""Long tables as files: columns of one kind, as CSV and as JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from grader.spreadsheet import neutral

Plain = str | float | None
_Spelled = TypeVar("_Spelled", str, bytes)


@dataclass(frozen=True, slots=True)
class Series:
    """A column; None where undefined. Its numbers are of one type, and none is a minus zero."""

    name: str
    kind: Literal["double", "integer", "text"]
    cells: Sequence[Plain]

    def spelled(self, spell: Callable[[Plain], _Spelled]) -> list[_Spelled]:
        """What each cell is spelled as; what stands in many cells is spelled once."""
        known = {cell: spell(cell) for cell in set(self.cells)}
        return list(map(known.__getitem__, self.cells))


def csv(columns: Sequence[Series]) -> str:
    """The rows as CSV, every cell in quotes; what is undefined is an empty cell.

    A text that a spreadsheet would run as a formula gets a ``'`` in front.
    """
    head = [_quoted(column.name) for column in columns]
    rows = zip(*(column.spelled(_quoted) for column in columns), strict=True)
    return "\n".join((*map(",".join, (head, *rows)), ""))


def records(columns: Sequence[Series]) -> Iterator[str]:
    """Yield each row as an object of JSON."""
    rows = zip(*(column.spelled(_keyed(column.name)) for column in columns), strict=True)
    return (f"{{{row}}}" for row in map(", ".join, rows))


def _quoted(cell: Plain) -> str:
    if not isinstance(cell, str):
        return '""' if cell is None else f'"{cell!r}"'
    text = neutral(cell).replace('"', '""')
    return f'"{text}"'


def _keyed(name: str) -> Callable[[Plain], str]:
    """How a cell is spelled in an object."""
    return lambda cell: f"{as_json(name)}: {as_json(cell)}"


as_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
