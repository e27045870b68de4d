"""What the log says of a run."""

import re
from collections.abc import Sequence

from grader.model import Event


def told(log: Sequence[Event], run: str) -> tuple[Event, ...]:
    """What a task's log says of one run, the oldest first."""
    verbs = re.compile(r"(?:run (?!commit)[a-z]+|dispute add): (.*)", re.DOTALL)
    found = ((event, verbs.match(event.what)) for event in log)
    return tuple(event for event, of in found if of and run in re.split("[, ]+", of[1]))
