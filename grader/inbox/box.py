"""The folder, and what its operator is told."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event

from grader.receipts import printable
from grader.store import Engine

REPORTS = (".report.json", ".report.txt")  # the text comes last: who sees it may read both

_LONGEST = 255  # bytes of a name in a folder


def beside(file: Path, ending: str) -> Path:
    """Where a report of a file lies; a name that is too long with an ending is cut."""
    name = os.fsencode(file.name)
    if len(name) + max(map(len, REPORTS)) <= _LONGEST:
        return Path(f"{file}{ending}")
    start = name[: _LONGEST - 25].decode(errors="ignore")
    return file.with_name(f"{start}-{sha256(name).hexdigest()[:8]}{ending}")


@dataclass(frozen=True, slots=True)
class Box:
    """A folder that files come in by, and the database that they go to.

    A file that has changed within ``every`` seconds is still being written. ``say`` is called
    with each answer, ``warn`` with what needs a hand; ``told`` are the latter, each said once.
    ``stop`` ends the work after the file at hand.
    """

    folder: Path
    engine: Engine
    every: float
    say: Callable[[str], None]
    warn: Callable[[str], None]
    stop: Event = field(default_factory=Event)
    told: set[str] = field(default_factory=set)

    def tell(self, path: Path, said: str) -> None:
        """Say once what needs a hand."""
        line = printable(f"{path}: {said}")
        if line not in self.told:
            self.told.add(line)
            self.warn(line)
