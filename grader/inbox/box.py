"""The folder, and what its operator is told."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from grader.receipts import printable
from grader.store import Engine

REPORTS = (".report.json", ".report.txt")  # the text comes last: who sees it may read both


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
