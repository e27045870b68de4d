"""Grade every stored run of a task again: scores are a cache of bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from grader import store
from grader.board import differences
from grader.errors import Mistake
from grader.grade import overlooking
from grader.model import Difference, Entry, Graded, Rejected, Results
from grader.signature import settings
from grader.store import Connection
from grader.workers import Broken, graded

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Act:
    """An operator's act: when, and the salt of a new gold version's commitment.

    ``progress`` is called with each run as it is scored again.
    """

    at: datetime
    salt: bytes
    progress: Progress = lambda _: None


def entries(db: Connection, slug: str, at: datetime) -> tuple[Entry, ...]:
    """A task's runs with their scores under its current gold."""
    return store.snapshot(db, at, [slug]).tasks[0].entries


def rescore(
    db: Connection,
    slug: str,
    at: datetime,
    before: Sequence[Entry],
    progress: Progress = lambda _: None,
) -> tuple[Difference, ...]:
    """Grade all runs of a task under its current file and gold; say how they differ from before.

    before   the entries with their old scores, read before the gold or the task changed
    returns  one difference for each run, in stored order; a held run becomes accepted,
             unless a rule refuses it: then it stays held
    raises   Mistake, with nothing changed, if a stored run would no longer be accepted
    """
    after = regraded(db, slug, at, before, progress)
    return differences(replace(after, entries=tuple(before)), after)


def regraded(
    db: Connection,
    slug: str,
    at: datetime,
    before: Sequence[Entry],
    progress: Progress = lambda _: None,
) -> Results:
    """The results of a task, all its runs graded again; as ``rescore``."""
    now = store.registered(db, slug)
    apart = {e.slug for e in before if e.held or "withdrawn" in e.flags}
    refused: list[tuple[str, str]] = []
    for run, upload, found in graded(now.task, now.gold, store.uploads(db, slug)):
        if isinstance(found, Broken) and run not in apart:
            raise found.error
        if not isinstance(found, Graded):
            if isinstance(found, Rejected) and run not in apart:
                refused.append((run, found.problems[0].message))
            continue  # what never counted, or no longer does: its bytes stay, unscored
        task = overlooking(now.task, upload.waived)
        tail = settings(task, now.counted(upload.phase), sha256(upload.payload).hexdigest())
        store.add_grading(db, slug, run, now.gold.version, found, tail, at)
        progress(run)
    _accepted(slug, refused)
    return store.snapshot(db, at, [slug]).tasks[0]


def _accepted(slug: str, refused: Sequence[tuple[str, str]]) -> None:
    """Mistake if runs would no longer be accepted, with the reason of each."""
    if refused:
        many = "the stored run breaks" if len(refused) == 1 else "stored runs break"
        raise Mistake(
            f"{many} a rule of the task as it would be, and nothing was changed:",
            *(f"  {run}: {why}" for run, why in refused),
            mend=f"grader run withdraw {slug} {refused[0][0]} --why '…'",
        )
