"""CSV and TSV, with the physical line each record starts on."""

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from grader.errors import Mistake
from grader.formats import Format, Source, too_many, unfit
from grader.model import Problem, Raw, Sheet, Task
from grader.plural import counted

_END = re.compile(r"\r\n|\r|\n")


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each record with the line that it starts on."""
    # From bytes: a StringIO would take four bytes for each character.
    lines = io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", newline="")
    if '"' in text:
        return _spread(lines, delimiter)
    return enumerate(csv.reader(lines, delimiter=delimiter, strict=True), 1)


def _spread(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the same of records that may stand on several lines."""
    reader, start = csv.reader(lines, delimiter=delimiter, strict=True), 1
    for cells in reader:
        yield start, cells
        start = reader.line_num + 1


def _read(source: Source, delimiter: str) -> Sheet:
    text = source.text
    records = _records(text, delimiter)
    problems: list[Problem] = []
    header: list[str] = []
    cells: list[str] = []
    line = width = 0
    flat: list[str] = []
    lines = array("q")
    try:
        for line, cells in records:  # noqa: B007, it counts on below
            if any(map(str.strip, cells)):
                header = [c.strip() for c in cells]
                break
        if wrong := _wrong_header(header, line):
            return Sheet(problems=(wrong,))
        width, clean = len(header), text.isascii() and "\0" not in text
        first = line if source.most is None else line + source.most
        for line, cells in records:
            if not (cells and cells[0].strip()) and not any(map(str.strip, cells)):
                continue
            if line > first and len(lines) + len(problems) == source.most:
                problems.append(too_many(source.most, line))
                break
            if len(cells) != width:
                said = f"{counted(len(cells), 'field')}, the header has {width}"
                problems.append(Problem("column-count", said, line))
            elif not clean and (wrong := _unfit(cells, header, line)):
                problems.append(wrong)
            else:
                lines.append(line)
                flat += cells
    except csv.Error:
        start = line + 1 + sum(len(_END.findall(cell)) for cell in cells)
        problems.append(_broken(text, header, start, delimiter))
    columns = {name: _once(flat[i::width]) for i, name in enumerate(header)}
    return Sheet(lines, columns, tuple(problems), plain=True)


def _once(column: list[str]) -> list[str]:
    """A column whose first cells are few texts again and again, each text kept once: memory."""
    if len(set(column[:1000])) > 100:
        return column
    known: dict[str, str] = {}
    return list(map(known.setdefault, column, column))


def _unfit(cells: Sequence[str], header: Sequence[str], line: int) -> Problem | None:
    if unfit("".join(cells)):
        for name, cell in zip(header, cells, strict=True):
            if why := unfit(cell):
                return Problem("bad-character", f"the field holds {why}", line, name)
    return None


def _read_commas(source: Source) -> Sheet:
    """CSV; a table that is no run may have semicolons, as spreadsheets write it in much of Europe.

    Runs may not: there a comma stands in decimals, and none is to be guessed.
    """
    return _read(source, ";" if source.task is None and _first_cut(source, ";") else ",")


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
    ends = (found.end() for found in _END.finditer(text))
    at = 0 if start == 1 else next(islice(ends, start - 2, None), len(text))
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


def _write(task: Task, records: Sequence[Raw], delimiter: str) -> str:
    """The records under their columns; raises Mistake for what no file may hold."""
    names = list(dict.fromkeys(name for raw in records for name in raw.fields))
    rows = [[str(raw.fields.get(name, "")) for name in names] for raw in records]
    if any(map(unfit, ("".join(row) for row in rows))):
        raise Mistake(f"a record of {task.slug!r} holds what no file may hold")
    special = re.compile(rf'["\r\n{re.escape(delimiter)}]')  # the csv module forgets lone CRs

    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    return "".join(delimiter.join(map(cell, row)) + "\n" for row in [names, *rows])


def _first_cut(source: Source, delimiter: str) -> bool:
    """Whether the first line has the delimiter, and no comma before it."""
    first = next((line for line in source.text[:4096].splitlines() if line.strip()), "")
    return delimiter in first and "," not in first.split(delimiter)[0]


TSV = Format(
    name="TSV",
    key="tsv",
    rank=6,
    claims=partial(_first_cut, delimiter="\t"),
    read=partial(_read, delimiter="\t"),
    write=partial(_write, delimiter="\t"),
    about="Fields separated by tabs; the first line names the columns; quotes as in CSV.",
    table=True,
)
CSV = Format(
    name="CSV",
    key="csv",
    rank=7,
    claims=lambda _: True,
    read=_read_commas,
    write=partial(_write, delimiter=","),
    about="Fields separated by commas; the first line names the columns; a field that holds a "
    'comma, a quote or a line break stands in "double quotes", a quote inside is doubled.',
    table=True,
)
