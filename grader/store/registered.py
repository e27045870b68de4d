"""A task as it stands in the database: what a run is checked and graded against."""

from typing import NamedTuple

from sqlalchemy import Connection

from grader.model import Extension, Gold, Task
from grader.store.extensions import decided, extended, standing
from grader.store.golds import gold
from grader.store.schema import tasks
from grader.store.tasks import config
from grader.store.teams import team as found_team
from grader.tasks import parse


class Registered(NamedTuple):
    """A task, the text of its task.toml, its gold and the gold's commitment.

    The task's phases are as the ``extensions`` that stand leave them: for all, or for the team
    that was asked for.
    """

    config: str
    task: Task
    gold: Gold
    commitment: str
    extensions: tuple[Extension, ...] = ()

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


def registered(
    db: Connection, slug: str, *, lock: bool = False, team: str | None = None
) -> Registered:
    """The task with its newest gold, locked until the transaction ends if asked for.

    team  whose phases are meant; without one, those of all

    raises  Mistake, for an unknown task or team
    """
    text = config(db, slug, lock=lock)
    task, (newest, commitment) = parse(text, slug), gold(db, slug)
    rows = [row for of in decided(db, tasks.c.slug == slug).values() for row in of]
    found = standing(task, rows)
    name = None if team is None else found_team(db, team).name
    return Registered(text, extended(task, found, name), newest, commitment, found)
