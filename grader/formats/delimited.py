"""CSV and TSV, with the physical line each record starts on."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import cast

from grader.formats import Format, unfit
from grader.model import Problem, Raw
from grader.plural import counted

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
_KNOWN = 4096


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends, one after the other: no copy of the whole."""
    return (found[0] for found in _LINE.finditer(text))


class _Fields(tuple[str, ...], Mapping[str, str]):
    """The cells of a line by the names of their columns, which all lines of a file share.

    A dictionary a line would take most of the memory that a large file needs.
    """

    __slots__ = ()
    place: Mapping[str, int] = MappingProxyType({})

    def __getitem__(self, name: str) -> str:  # type: ignore[override]
        return tuple.__getitem__(self, self.place[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.place)

    def __contains__(self, name: object) -> bool:
        return name in self.place

    __eq__ = Mapping.__eq__
    __hash__ = None  # type: ignore[assignment]


def _shared(place: Mapping[str, int]) -> dict[str, object]:
    return {"__slots__": (), "place": place}


def _read(text: str, delimiter: str) -> Iterator[Raw | Problem]:
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    known: dict[str, str] = {}  # cells that come again are kept once: answers above all
    header: list[str] = []
    fields = _Fields
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not any(map(str.strip, cells)):
                continue
            if not header:
                header = [c.strip() for c in cells]
                if wrong := _wrong_header(header, line):
                    yield wrong
                    return
                place = {name: i for i, name in enumerate(header)}
                fields = cast("type[_Fields]", type("_Line", (_Fields,), _shared(place)))
            elif len(cells) != len(header):
                said = f"{counted(len(cells), 'field')}, the header has {len(header)}"
                yield Problem("column-count", said, line)
            else:
                again = known.setdefault if len(known) < _KNOWN else known.get
                yield _record(line, fields(again(c, c) for c in cells))
    except csv.Error:
        yield _broken(text, header, start, delimiter)


def _record(line: int, fields: _Fields) -> Raw | Problem:
    for name, cell in fields.items():
        if why := unfit(cell):
            return Problem("bad-character", f"the field holds {why}", line, name)
    return Raw(line, fields)


def _wrong_header(header: list[str], line: int) -> Problem | None:
    if len(header) == 1 and header[0].count(";"):
        said = "fields are separated by ';': write ',' between fields and '.' in decimals (0.9)"
        return Problem("separator", said, line, stops=True)
    if why := next(filter(None, map(unfit, header)), ""):
        return Problem("bad-character", f"a column's name holds {why}", line, stops=True)
    twice = [name for name, n in Counter(header).items() if n > 1 and name]
    if twice:
        said = f"column {twice[0][:40]!r} stands twice"
        return Problem("duplicate-column", said, line, stops=True)
    return None


def _broken(text: str, header: list[str], start: int, delimiter: str) -> Problem:
    """Say which field of the record from line ``start`` is never or badly closed, or too long."""
    at = sum(len(line) for _, line in zip(range(start - 1), _lines(text), strict=False))
    end = re.escape(delimiter)
    whole = re.compile(rf'("(?:[^"]|"")*+"|[^"{end}\r\n][^{end}\r\n]*+|)(?:{end}|[\r\n]|\Z)')
    said = "a quote opened here is never closed, or text follows a closing quote"
    before = 0
    while at < len(text) and (field := whole.match(text, at)):
        if len(field[1]) > csv.field_size_limit():
            said = f"a field is longer than {csv.field_size_limit():,} characters"
            break
        before, at = before + 1, field.end()
    name = header[before] if before < len(header) else None
    return Problem("bad-quoting", said, start, name, stops=True)


def _tabbed(start: str) -> bool:
    first = next((line for line in start.splitlines() if line.strip()), "")
    return "\t" in first and "," not in first.split("\t")[0]


TSV = Format(
    name="TSV",
    rank=2,
    claims=_tabbed,
    read=partial(_read, delimiter="\t"),
    about="Fields separated by tabs; the first line names the columns; quotes as in CSV.",
)
CSV = Format(
    name="CSV",
    rank=3,
    claims=lambda _: True,
    read=partial(_read, delimiter=","),
    about="Fields separated by commas; the first line names the columns; a field that holds a "
    'comma, a quote or a line break stands in "double quotes", a quote inside is doubled.',
)
