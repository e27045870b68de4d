"""A table that is written as CSV, JSON and LaTeX alike: its columns say what they are."""

import csv as files
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from grader.board import shown
from grader.spreadsheet import neutral


class Told(NamedTuple):  # long tables have a great many
    """A number with all its digits, and as it is printed."""

    value: float | None
    text: str


Cell = str | int | Told | None
Plain = str | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """``about`` says what stands in it. Every number of a row gets a macro named by its keys.

    ``title`` is what LaTeX puts above it, if not its name.
    """

    name: str
    about: str
    role: Literal["key", "number", "text"] = "text"
    title: str = ""

    @property
    def head(self) -> str:
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    ``shown`` maps the columns that LaTeX has to how they are set, ``most`` is how many of the
    first rows it has (None: all).
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shown: Mapping[str, str] = field(default_factory=dict)
    most: int | None = None

    @property
    def about(self) -> str:
        """What it is in any task."""
        return self.title.partition(":")[0]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells of each column."""
        return tuple(zip(*self.rows, strict=True)) if self.rows else ((),) * len(self.columns)

    @property
    def plain(self) -> list[list[Plain]]:
        """The same, numbers as they are."""
        return [[c.value if isinstance(c, Told) else c for c in cells] for cells in self.cells]

    def records(self) -> list[dict[str, Plain]]:
        """The rows as JSON has them."""
        names = self.names
        return [dict(zip(names, row, strict=True)) for row in zip(*self.plain, strict=True)]

    def csv(self) -> str:
        """The rows as CSV, every cell in quotes; what is undefined is an empty cell.

        A text that a spreadsheet would run as a formula gets a ``'`` in front.
        """
        out = io.StringIO()
        writer = files.writer(out, quoting=files.QUOTE_ALL, lineterminator="\n")
        writer.writerow(map(neutral, self.names))
        writer.writerows(zip(*map(_safe, self.plain), strict=True))
        return out.getvalue()


def told(value: float | None, digits: int) -> Told:
    """A number that is printed at these decimals."""
    return Told(value, shown(value, digits))


def _safe(cells: Sequence[Plain]) -> list[Plain]:
    """The cells of a column; what stands in many is looked at once."""
    texts = {c: neutral(c) for c in set(cells) if isinstance(c, str)}
    return [texts[c] if isinstance(c, str) else c for c in cells]
