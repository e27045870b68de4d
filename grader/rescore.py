"""Grade every stored run of a task again: scores are a cache of bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from grader import store
from grader.board import lead, score
from grader.errors import Mistake
from grader.grade import grade
from grader.model import Entry, Graded
from grader.scoring import settings
from grader.store import Connection

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


def rescore(
    db: Connection, slug: str, at: datetime, progress: Progress = lambda _: None
) -> tuple[Difference, ...]:
    """Grade all runs of a task under its current file and gold; return them in stored order.

    A held run becomes accepted. ``changed`` counts the values that differ from the old ones.

    raises  Mistake, with nothing changed, if a stored run would no longer be accepted
    """
    now = store.registered(db, slug)
    before = {e.slug: e for e in _entries(db, slug, at)}
    for run, upload in store.uploads(db, slug):
        graded = grade(now.task, now.gold, upload.payload)
        if not isinstance(graded, Graded):
            first = graded.problems[0]
            raise Mistake(
                f"the stored run {run!r} breaks a rule of the task as it is now: {first.message}",
                mend=f"grader run withdraw {slug} {run} --why '…'",
            )
        tail = settings(now.task, now.label, sha256(upload.payload).hexdigest())
        store.add_grading(db, slug, run, now.gold.version, graded, tail, at)
        progress(run)
    after = _entries(db, slug, at)
    key = lead(store.snapshot(db, at, [slug]).tasks[0]).key
    return tuple(_difference(before[e.slug], e, key) for e in after)


def _entries(db: Connection, slug: str, at: datetime) -> tuple[Entry, ...]:
    return store.snapshot(db, at, [slug]).tasks[0].entries


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
