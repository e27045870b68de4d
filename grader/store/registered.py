"""A task as it stands in the database: what a run is checked and graded against."""

from typing import NamedTuple

from sqlalchemy import Connection

from grader.model import Gold, Task
from grader.store.golds import gold
from grader.store.tasks import config
from grader.tasks import parse


class Registered(NamedTuple):
    """A task, the text of its task.toml, its gold and the gold's commitment."""

    config: str
    task: Task
    gold: Gold
    commitment: str

    @property
    def label(self) -> str:
        """The gold version as signatures name it: ``v1:9f…``."""
        return f"v{self.gold.version}:{self.commitment}"

    def counted(self, phase: str) -> str:
        """The gold version with the part of it that counts in a phase: ``v1:9f…:public``."""
        found = self.task.phase(phase)
        return (
            self.label if found is None or found.split == "all" else f"{self.label}:{found.split}"
        )


def registered(db: Connection, slug: str, *, lock: bool = False) -> Registered:
    """The task with its newest gold, locked until the transaction ends if asked for.

    raises  Mistake, for an unknown task
    """
    text = config(db, slug, lock=lock)
    newest, commitment = gold(db, slug)
    return Registered(text, parse(text, slug), newest, commitment)
