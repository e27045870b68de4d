"""A judged task as the database has it."""

from collections.abc import Sequence

from grader import store
from grader.errors import Mistake
from grader.judging.known import Known
from grader.judging.units import replies
from grader.model import Judgement, Upload
from grader.store import Connection, Registered


def judged(db: Connection, slug: str, *, lock: bool = False) -> Registered:
    """A task whose answers are judged; a Mistake if they are not."""
    now = store.registered(db, slug, lock=lock)
    if now.task.answers != "judged":
        raise Mistake(
            f"the answers of {slug!r} are not judged: they match the gold's",
            'a task whose answers people judge declares answers = "judged" before runs are in',
            mend=f"grader task show {slug}",
        )
    return now


def accepted(db: Connection, slug: str, run: str, sent: Upload) -> bool:
    """Whether the answers of a stored run are to be judged: it is neither held nor withdrawn."""
    return "withdrawn" not in sent.flags and not store.is_held(db, slug, run)


def known_units(db: Connection, now: Registered, before: Sequence[Judgement]) -> Known:
    """All that may be judged of a task, of withdrawn runs too."""
    slug = now.task.slug
    runs, _ = replies(now.task, now.gold, store.uploads(db, slug))
    units = tuple(one.unit for one in before)
    return Known(now.task, now.gold, store.blinding(db, slug), runs, units)
