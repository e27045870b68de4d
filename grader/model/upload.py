"""An upload, and what is said about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Flag = Literal["primary", "contrastive", "baseline", "late", "amended", "waived", "withdrawn"]


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
class Notice:
    """Something the sender should know about a file that was accepted all the same."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class NotText:
    """A field that is no text: a JSON null, list or object. ``items``: a list's texts."""

    kind: Literal["null", "list", "mixed list", "object"]
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raw:
    """One record as written: the line it starts on, and its fields."""

    line: int
    fields: Mapping[str, str | NotText]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in at a door, and the instant stamped there."""

    team: str
    name: str
    filename: str
    payload: bytes
    received: datetime
    flags: tuple[Flag, ...] = ()
    phase: str = ""
