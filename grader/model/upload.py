"""An upload, and what is said about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Flag = Literal[
    "primary", "contrastive", "baseline", "late", "extended", "amended", "waived", "withdrawn"
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file, said so that its sender can mend it.

    ``line`` is the physical line, from 1; None speaks of the whole file. ``stops`` says that
    nothing after that line was read.
    """

    code: str
    message: str
    line: int | None = None
    field: str | None = None
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """An upload that was refused: ``codes`` counts its problems, ``remark`` is for organisers."""

    team: str
    filename: str
    sha256: str
    at: datetime
    codes: Mapping[str, int]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the sender should know about a file that was accepted all the same."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class NotText:
    """A field that is no text: a JSON null, list or object. ``items``: a list's texts."""

    kind: Literal["null", "list", "mixed list", "object"]
    items: tuple[str, ...] = ()


Cell = str | NotText | None  # a field of a record; None where the record has none


@dataclass(frozen=True, slots=True)
class Raw:
    """One record as written: the line it starts on, and its fields.

    ``refuses``: it declines to answer by its form, whatever its answer says.
    """

    line: int
    fields: Mapping[str, str | NotText]
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """All records of a file by column, and what kept others from being read.

    ``lines[i]`` is the physical line on which record i starts, ``columns[name][i]`` its field.
    ``plain``: every record has a text in every column. ``refusals`` are the places of records
    that decline to answer by their form. ``spelling`` gives what two spellings of an id share;
    None where ids are compared letter for letter.
    """

    lines: Sequence[int] = ()
    columns: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notices: tuple[Notice, ...] = ()
    plain: bool = False
    refusals: frozenset[int] = frozenset()
    spelling: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What a team says of a run: free text, links, and the resources it declares."""

    text: str = ""
    links: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in at a door, and the instant stamped there.

    ``bundle`` is the SHA-256 of the archive that it came in, if it came in one. ``waived`` are
    the codes of problems that organisers overlook in it, for the reason ``why``.
    """

    team: str
    name: str
    filename: str
    payload: bytes
    received: datetime
    flags: tuple[Flag, ...] = ()
    phase: str = ""
    about: About = field(default_factory=About)
    bundle: str = ""
    waived: tuple[str, ...] = ()
    why: str = ""
