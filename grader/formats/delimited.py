"""CSV and TSV, with the physical line each record starts on."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial

from grader.formats import Format, unfit
from grader.model import Problem, Raw
from grader.plural import counted


def _read(text: str, delimiter: str) -> Iterator[Raw | Problem]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
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
            elif len(cells) != len(header):
                said = f"{counted(len(cells), 'field')}, the header has {len(header)}"
                yield Problem("column-count", said, line)
            else:
                yield _record(line, header, cells)
    except csv.Error:
        yield _broken(text, header, start, delimiter)


def _record(line: int, header: list[str], cells: list[str]) -> Raw | Problem:
    fields = dict(zip(header, cells, strict=True))
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
    lines = io.StringIO(text, newline="")
    at = sum(len(line) for _, line in zip(range(start - 1), lines, strict=False))
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
