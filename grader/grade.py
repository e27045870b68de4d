"""The whole walk from bytes to scores, pure: no disk, no database, no clock."""

from grader.check import check, records
from grader.model import Gold, Graded, Rejected, Task
from grader.scoring import score


def grade(task: Task, gold: Gold, payload: bytes) -> Graded | Rejected:
    """Read, check, judge and score a run. The same bytes always give the same scores."""
    match check(records(payload, gold), task, gold):
        case Rejected() as no:
            return no
        case run:
            return score(task, gold, run)
