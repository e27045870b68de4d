"""File formats: bytes in, records with line numbers out. One file a format, found by folder.

A format is recognised by its content, never by the file's name; a task may name the one it takes.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from grader.archives import opened
from grader.formats.text import decoded, unfit
from grader.model import Cell, Notice, NotText, Problem, Raw, Sheet, Task

__all__ = ["FORMATS", "LIMIT", "Format", "Source", "gathered", "read", "read_run", "unfit"]

_BLANK = re.compile(r"\s*")
LIMIT = (
    64 * 2**20
)  # bytes of one file, unpacked: above three million rows, below a laptop's memory
LINES = 4_000_000  # of one file, blank ones too: each takes time


@dataclass(frozen=True, slots=True)
class Source:
    """A text to read, the task if it is a run's, and how many records could make sense."""

    text: str
    task: Task | None = None
    most: int | None = None

    @property
    def start(self) -> str:
        """The first 4,096 characters from the first that is no space."""
        blank = _BLANK.match(self.text)
        at = blank.end() if blank else 0
        return self.text[at : at + 4096]


def _any_task(_: Task) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write records.

    ``key`` is what a task calls it. ``claims`` looks at a text; the lowest rank asks first.
    ``about`` is the sentence that the rules page prints. ``table``: gold may be written so.
    ``suits`` says why a task cannot be read from it, or nothing. ``write`` is the reverse of
    ``read`` for records in the task's columns: a Mistake says what it cannot carry. Where ids
    have a ``spelling``, those that share one mean the same instance.
    """

    name: str
    key: str
    rank: int
    claims: Callable[[Source], bool]
    read: Callable[[Source], Sheet]
    write: Callable[[Task, Sequence[Raw]], str]
    about: str
    table: bool = False
    suits: Callable[[Task], str] = _any_task
    spelling: Callable[[str], str] | None = None


def read(payload: bytes) -> Iterator[Raw | Problem]:
    """Yield the records of a table, or the problems that stop them from being read, by line."""
    text = _text(payload)
    if isinstance(text, Problem):
        yield text
        return
    source = Source(text)
    sheet = next(f for f in FORMATS if f.table and f.claims(source)).read(source)
    found: Iterable[Raw | Problem] = chain(_raws(sheet), sheet.problems)
    yield from sorted(found, key=lambda r: r.line or 0)


def _raws(sheet: Sheet) -> Iterator[Raw]:
    for i, line in enumerate(sheet.lines):
        cells = ((name, column[i]) for name, column in sheet.columns.items())
        yield Raw(line, {name: cell for name, cell in cells if cell is not None})


def read_run(payload: bytes, task: Task, most: int | None = None) -> Sheet:
    """The records of a run in the task's columns; of more than ``most``, the first of them."""
    text = _text(payload)
    if isinstance(text, Problem):
        return Sheet(problems=(text,))
    if not text.strip():
        return Sheet()
    if max(map(text.count, "\r\n")) > LINES:
        return Sheet(problems=(too_many(LINES, None),))
    source = Source(text, task, most)
    found = next(f for f in FORMATS if f.claims(source))
    if task.run.format not in ("", found.key):
        named = next(f for f in FORMATS if f.key == task.run.format)
        said = f"the file looks like {found.name}, and the task takes {named.name}: {named.about}"
        return Sheet(problems=(Problem("wrong-format", said, 1, stops=True),))
    if why := found.suits(task):
        said = f"the file looks like {found.name}, and {why}"
        return Sheet(problems=(Problem("wrong-format", said, 1, stops=True),))
    return replace(found.read(source), spelling=found.spelling)


def _text(payload: bytes) -> str | Problem:
    if len(payload) > LIMIT:
        size = f"{len(payload) / 2**20:.1f} MiB; the limit is {LIMIT // 2**20} MiB"
        return Problem("too-large", size, stops=True)
    whole = opened(payload, LIMIT)
    return whole if isinstance(whole, Problem) else decoded(whole)


class _Columns(Mapping[str, Sequence[Cell]]):
    """The fields of records by column, laid out when asked for: a sender can make up many."""

    __slots__ = ("_names", "_raws")

    def __init__(self, raws: Sequence[Raw]) -> None:
        self._raws = raws
        self._names = dict.fromkeys(name for raw in raws for name in raw.fields)

    def __getitem__(self, name: str) -> Sequence[Cell]:
        if name not in self._names:
            raise KeyError(name)
        return [raw.fields.get(name) for raw in self._raws]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def gathered(found: Iterable[Raw | Problem | Notice], most: int | None = None) -> Sheet:
    """Records, and what was said while they were read, by column."""
    raws: list[Raw] = []
    problems: list[Problem] = []
    notices: list[Notice] = []
    for item in found:
        if isinstance(item, Notice):
            notices.append(item)
        elif most is not None and len(raws) + len(problems) == most:
            problems.append(too_many(most, item.line))
            break
        elif isinstance(item, Raw):
            raws.append(item)
        else:
            problems.append(item)
    refusals = frozenset(i for i, raw in enumerate(raws) if raw.refuses)
    lines = [raw.line for raw in raws]
    return Sheet(lines, _Columns(raws), tuple(problems), tuple(notices), refusals=refusals)


def single(task: Task) -> str:
    """Why a task cannot be read from a format of one id and one confidence; empty if it can."""
    if task.kind == "interval":
        return "a task of intervals takes tables only"
    return "its ids are one text: the task must name one id column" if len(task.run.id) > 1 else ""


def too_many(most: int, line: int | None) -> Problem:
    return Problem("too-many-rows", f"more than {most} lines", line, stops=True)


def stored(fields: Mapping[str, str | NotText], line: int) -> Problem | None:
    """What keeps a record from being stored as text, if anything does."""
    for key, value in fields.items():
        texts = (value,) if isinstance(value, str) else value.items
        if why := next(filter(None, map(unfit, (key, *texts))), ""):
            shown = key.encode(errors="replace").decode()
            return Problem("bad-character", f"the field holds {why}", line, shown)
    return None


def _found() -> Iterator[Format]:
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        yield from (x for x in vars(module).values() if isinstance(x, Format))


FORMATS = tuple(sorted(_found(), key=lambda f: f.rank))
