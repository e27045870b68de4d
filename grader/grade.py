"""The whole walk from bytes to scores, pure: no disk, no database, no clock."""

from grader.check import check, records
from grader.model import BoolArray, Gold, Graded, Judged, Rejected, Task
from grader.scoring import score, seen


def viewed(task: Task, gold: Gold, payload: bytes) -> tuple[Judged, BoolArray] | Rejected:
    """A run as measures see it, whole and in gold order, and which of its instances count."""
    match check(records(payload, gold), task, gold):
        case Rejected() as no:
            return no
        case run:
            return seen(task, gold, run)[:2]


def grade(task: Task, gold: Gold, payload: bytes) -> Graded | Rejected:
    """Read, check, judge and score a run. The same bytes always give the same scores."""
    match check(records(payload, gold), task, gold):
        case Rejected() as no:
            return no
        case run:
            return score(task, gold, run)
