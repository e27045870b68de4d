"""A file of teams: bytes in, what each line says of a team out, or all that is wrong with it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from grader import store
from grader.campaign import SEPARATORS
from grader.errors import Mistake
from grader.formats import read
from grader.model import NotText, Problem, Raw, Registration
from grader.tasks.names import column_hint

# Each column by the names that it may have: in either case, with any sign between the words.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "team id"),
    "name": ("name", "display name", "team", "team name"),
    "affiliation": ("affiliation", "organisation", "organization", "institution"),
    "contact": ("contact", "email", "e mail", "mail"),
    "tracks": ("tracks", "tracks entered", "tasks"),
    "consent": ("consent", "consent to archive", "archive"),
}
_ANSWERS: Mapping[str, bool | None] = {
    **dict.fromkeys(("yes", "y", "true", "1"), True),
    **dict.fromkeys(("no", "n", "false", "0"), False),
    "": None,
}
_LENGTHS = {"id": 100, "name": 100, "affiliation": 300, "contact": 300}
Tracks = Mapping[str, tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says of a team: ``name`` is empty where it gives none.

    ``given`` are the columns that the file has; the registration's other fields say nothing.
    """

    line: int
    id: str
    name: str
    said: Registration
    given: frozenset[str]

    def over(self, before: Registration) -> Registration:
        """A registration with what the line says in its place; a blank cell takes away."""
        given = {key: getattr(self.said, key) for key in self.given - {"id", "name"}}
        return replace(before, **given)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the lines say, all that is wrong, and the columns that are not read.

    A line of which something is wrong lacks that.
    """

    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    unread: tuple[str, ...] = ()


def sheet(payload: bytes, tracks: Tracks) -> Sheet:
    """The lines of a CSV, TSV or JSONL file of teams.

    tracks  each name of a track as it is spelled, and the tasks that it stands for, by the folded
            name
    """
    found = tuple(read(payload))
    problems = [record for record in found if isinstance(record, Problem)]
    raws = [record for record in found if isinstance(record, Raw)]
    if not raws:
        return Sheet((), tuple(problems) or (Problem("no-rows", "the file has no teams"),))
    names = tuple(dict.fromkeys(name for raw in raws for name in raw.fields))
    columns = {name: key for name in names if (key := _key(name))}
    problems += _columns(columns, names)
    lines: list[Line] = []
    if "id" in columns.values():
        lines = [_line(raw, columns, tracks, problems) for raw in raws]
    problems += _twice(lines)
    unread = tuple(name for name in names if name and name not in columns)
    return Sheet(tuple(lines), tuple(sorted(problems, key=lambda p: p.line or 1)), unread)


def _key(name: str) -> str:
    """Which of COLUMNS a header's name is; empty if none."""
    plain = " ".join(re.findall(r"[^\W_]+", name.casefold()))
    return next((key for key, known in COLUMNS.items() if plain in known), "")


def _columns(columns: Mapping[str, str], names: Sequence[str]) -> Iterator[Problem]:
    for key, n in Counter(columns.values()).items():
        if n > 1:
            both = ", ".join(repr(name) for name, of in columns.items() if of == key)
            yield Problem("duplicate-column", f"{both} are all the column {key!r}", 1)
    if "id" not in columns.values():
        has = ", ".join(repr(name[:40]) for name in names[:8])
        hint = column_hint("id", [name for name in names if name not in columns])
        yield Problem("missing-column", f"there is no column 'id'; there is {has}{hint}", 1)


def _line(raw: Raw, columns: Mapping[str, str], tracks: Tracks, wrong: list[Problem]) -> Line:
    """What a record says; what is wrong with it is added to ``wrong``."""
    cells = {columns[name]: _plain(c) for name, c in raw.fields.items() if name in columns}
    texts = {key: _text(raw, key, cells.get(key, ""), wrong) for key in _LENGTHS}
    parts = _parts(cells.get("tracks", ""))
    unknown = [typed for typed, key in parts if key not in tracks]
    wrong += [Problem("unknown-track", _unknown(typed, tracks), raw.line) for typed in unknown]
    entered = tuple(sorted({slug for _, key in parts for slug in _tasks(tracks, key)}))
    answer = cells.get("consent", "")
    consent = answer.strip().casefold() if isinstance(answer, str) else "?"
    if consent not in _ANSWERS:
        why = f"consent is {str(answer)[:60]!r}: write yes or no, or leave it blank"
        wrong.append(Problem("bad-consent", why, raw.line))
    said = Registration(texts["affiliation"], texts["contact"], entered, _ANSWERS.get(consent))
    return Line(raw.line, texts["id"], texts["name"], said, frozenset(cells))


def _plain(cell: str | NotText) -> str | NotText:
    """A null of JSON is a blank cell."""
    return "" if isinstance(cell, NotText) and cell.kind == "null" else cell


def _text(raw: Raw, key: str, cell: str | NotText, wrong: list[Problem]) -> str:
    """A cell as a name that can be kept; blank if it may be."""
    if isinstance(cell, NotText):
        wrong.append(Problem(f"bad-{key}", f"the {key} is a {cell.kind}, no text", raw.line))
        return ""
    if not cell.strip() and key != "id":
        return ""
    try:
        named = store.team_name if key in ("id", "name") else store.checked
        return named(key, cell, _LENGTHS[key])
    except Mistake as no:
        wrong.append(Problem(f"bad-{key}", str(no), raw.line))
        return ""


def _parts(cell: str | NotText) -> list[tuple[str, str]]:
    """The tracks of a cell as typed, and folded; a list of JSON is as good as separators."""
    typed = cell.items if isinstance(cell, NotText) else re.split(f"[{SEPARATORS}]", cell)
    return [(part.strip(), store.folded(part)) for part in typed if part.strip()]


def _tasks(tracks: Tracks, key: str) -> tuple[str, ...]:
    return tracks[key][1] if key in tracks else ()


def _unknown(typed: str, tracks: Tracks) -> str:
    near = get_close_matches(store.folded(typed), tracks, 1)
    known = ", ".join(repr(tracks[key][0]) for key in sorted(tracks)) or "none yet"
    hint = f"did you mean {tracks[near[0]][0]!r}?" if near else f"there are: {known}"
    return f"{typed[:60]!r} names no task and no track; {hint}"


def _twice(lines: Sequence[Line]) -> Iterator[Problem]:
    """Yield each id or name that stands on an earlier line, whichever of the two it is there."""
    seen: dict[str, int] = {}
    for line in lines:
        mine = {store.folded(name): name for name in (line.name, line.id) if name}
        for key, name in mine.items():
            if key in seen:
                said = f"{name!r} is already on line {seen[key]}"
                yield Problem("duplicate-team", said, line.line)
            seen.setdefault(key, line.line)
