"""A picture: what is drawn, in words, and as a table."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.board import shown
from grader.spreadsheet import guarded


class Drawn(Protocol):
    """Geometry, in units of the screen; what is in it is the business of its macro."""

    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Data:
    """The numbers of a picture as they are printed; the first ``keys`` columns are text.

    A number that is undefined, or not shown, is empty.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1

    def first(self, most: int) -> tuple[tuple[str, ...], ...]:
        """The columns of the first rows."""
        return tuple(zip(*self.rows[:most], strict=True))

    @property
    def csv(self) -> str:
        """As a file: what people typed is no formula in it."""
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerow(self.columns)
        cells = tuple(zip(*self.rows, strict=True))
        typed = map(_guarded, cells[: self.keys])
        write.writerows(zip(*typed, *cells[self.keys :], strict=True))
        return out.getvalue()


def _guarded(cells: Sequence[str]) -> list[str]:
    """A column, each of its texts guarded once."""
    known = {text: guarded(text) for text in set(cells)}
    return [known[text] for text in cells]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture under its address ``name``; ``kind`` is the macro that prints it.

    ``head`` and ``body`` are what is printed of it, once it is.
    """

    name: str
    kind: str
    title: str
    about: str
    drawn: Drawn
    data: Data
    head: str = ""
    body: str = ""


def as_shown(value: float, digits: int) -> float:
    """The number that is printed: pictures are drawn from it, so that they tell no more.

    >>> as_shown(0.12345, 3)
    0.123
    """
    return round(value, digits) + 0.0  # no minus zero


def number(value: float | None, digits: int) -> str:
    """A number of a table; empty if there is none.

    >>> number(0.5, 3), number(None, 3)
    ('0.500', '')
    """
    return "" if value is None else shown(value, digits)
