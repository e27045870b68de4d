"""Which unit a row of a file means, and what is wrong with files that are brought."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from grader.errors import Mistake
from grader.formats import read
from grader.judge import number
from grader.judging.units import Replies, distinct, key
from grader.model import Gold, Problem, Raw, Task, Unit
from grader.plural import counted
from grader.spreadsheet import unguarded

LARGEST = 10**15  # a further number: whole ones up to here are exact, and their squares add up
MOST = 40  # problems said of the files of one import; the rest is counted


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was brought."""

    name: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Said:
    """What a row says of a unit, and where it stands."""

    label: str
    columns: Mapping[str, float]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Brought:
    """What files say of units, and how many rows they leave for later."""

    said: Mapping[Unit, Said]
    left: int = 0


@dataclass(slots=True)
class Known:
    """The units that may be judged: those of stored runs, and those that were judged before."""

    task: Task
    gold: Gold
    salt: bytes
    runs: tuple[Replies, ...]
    before: Iterable[Unit]
    keys: dict[str, Unit] = field(init=False)
    texts: dict[tuple[str, str], Unit] = field(init=False)
    slugs: dict[str, Replies] = field(init=False)
    places: dict[str, int] = field(init=False)
    hinted: int = 0

    def __post_init__(self) -> None:
        every = dict.fromkeys((*distinct(self.runs), *self.before))
        self.keys = {key(self.salt, unit): unit for unit in every}
        self.texts = {(u.id, u.answer): u for u in every if not u.run}
        self.slugs = _named(self.runs)
        self.places = {name: i for i, name in enumerate(self.gold.ids)}

    def hint(self, name: str, among: Callable[[], Iterable[str]]) -> str:
        """What was perhaps meant, for the first of the wrong rows: no more of them are said."""
        self.hinted += 1
        return meant(name, tuple(among())) if self.hinted <= MOST else ""


def _named(runs: Sequence[Replies]) -> dict[str, Replies]:
    """Runs by address; by name and file name too where these are one run's alone."""
    found: dict[str, Replies | None] = {}
    for run in runs:
        sent = run.sent
        for name in {sent.name, sent.filename, sent.filename.rpartition(".")[0]} - {""}:
            found[name] = None if name in found else run
    found |= {run.run: run for run in runs}
    return {name: run for name, run in found.items() if run is not None}


def records(file: File, problems: list[Problem]) -> list[Raw]:
    """The rows of a table; what keeps others from being read goes to the problems."""
    found = list(read(file.payload))
    problems += (r for r in found if isinstance(r, Problem))
    raws = [r for r in found if isinstance(r, Raw)]
    if not raws and not problems:
        problems.append(Problem("no-rows", "the file has no rows"))
    return raws


def text(raw: Raw, column: str) -> str:
    """A cell as it was before it was guarded against spreadsheets, trimmed."""
    cell = raw.fields.get(column, "")
    return unguarded(cell).strip() if isinstance(cell, str) else ""


def written(raw: Raw, column: str) -> tuple[str, str]:
    """A cell as it was before it was guarded, and as it stands: no JSON is guarded."""
    cell = raw.fields.get(column, "")
    return text(raw, column), cell.strip() if isinstance(cell, str) else ""


def numbers(raw: Raw, columns: Sequence[str], problems: list[Problem]) -> dict[str, float]:
    """The further numbers of a row; blank ones are not there."""
    found: dict[str, float] = {}
    for column in columns:
        cell = raw.fields.get(column, "")
        said = cell.strip() if isinstance(cell, str) else cell.kind
        value = number(said)
        if value is not None and abs(value) > LARGEST:
            wrong = f"{said[:40]!r} is beyond ±{LARGEST}"
            problems.append(Problem("too-large", wrong, raw.line, column))
        elif value is not None:
            found[column] = float(value)
        elif said and said != "null":
            wrong = f"{said[:40]!r} is not a plain decimal number"
            problems.append(Problem("not-a-number", wrong, raw.line, column))
    return found


def lacking(raws: Sequence[Raw], wanted: Sequence[str]) -> list[Problem]:
    """The columns that a file should have and has not."""
    names = dict.fromkeys(n for raw in raws for n in raw.fields)
    has = ", ".join(map(repr, names))
    return [
        Problem("missing-column", f"there is no column {n!r}; the file has {has}", 1)
        for n in wanted
        if raws and n not in names
    ]


def meant(name: str, known: Sequence[str]) -> str:
    """The hint of what was perhaps meant."""
    near = get_close_matches(name, known, 1, 0.6)
    folded = {k.casefold(): k for k in known}
    found = folded.get(name.casefold()) or (near[0] if near else "")
    return f"; did you mean {found!r}?" if found else ""


def refuse(problems: Sequence[tuple[str, Problem]]) -> None:
    """Mistake, naming every problem with its file and line, if there are any."""
    if problems:
        said = [
            f"{name}:{p.line or 1}: {p.code}: {f'{p.field}: ' if p.field else ''}{p.message}"
            for name, p in problems[:MOST]
        ]
        more = [f"… and {len(problems) - MOST} more"] if len(problems) > MOST else []
        many = counted(len(problems), "problem")
        raise Mistake(f"nothing was taken in: {many}", *said, *more)
