"""Grade every stored run of a task again: scores are a cache of bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from grader import store
from grader.board import lead, score
from grader.errors import Mistake
from grader.grade import grade
from grader.model import Entry, Graded, Rejected, Upload
from grader.scoring import settings
from grader.store import Connection, Registered

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Difference:
    """A run's primary value before and after; None is undefined or not scored."""

    run: str
    team: str
    name: str
    before: float | None
    after: float | None
    changed: int


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
    now = store.registered(db, slug)
    old = {entry.slug: entry for entry in before}
    for run, upload in store.uploads(db, slug):
        apart = old[run].held or "withdrawn" in old[run].flags
        graded = _graded(now, upload, apart=apart)
        if not isinstance(graded, Graded):
            if graded is None or apart:
                continue  # it never counted, or no longer does: its bytes stay, unscored
            first = graded.problems[0]
            raise Mistake(
                f"the stored run {run!r} breaks a rule of the task as it is now: {first.message}",
                mend=f"grader run withdraw {slug} {run} --why '…'",
            )
        tail = settings(now.task, now.counted(upload.phase), sha256(upload.payload).hexdigest())
        store.add_grading(db, slug, run, now.gold.version, graded, tail, at)
        progress(run)
    results = store.snapshot(db, at, [slug]).tasks[0]
    key = lead(results).key
    return tuple(_difference(old[e.slug], e, key) for e in results.entries)


def _graded(now: Registered, upload: Upload, *, apart: bool) -> Graded | Rejected | None:
    """The grading; None if the scorer breaks on a run that stands apart: it blocks nothing."""
    try:
        return grade(now.task, now.gold, upload.payload, upload.phase)
    except Exception:
        if apart:
            return None
        raise


def _difference(old: Entry, new: Entry, key: str) -> Difference:
    was, now = score(old, key), score(new, key)
    values = {(s.measure, s.subset): s.value for s in (old.graded.scores if old.graded else ())}
    scores = new.graded.scores if new.graded else ()
    changed = sum(values.get((s.measure, s.subset)) != s.value for s in scores)
    return Difference(
        new.slug,
        new.team,
        new.name,
        was.value if was else None,
        now.value if now else None,
        changed,
    )
