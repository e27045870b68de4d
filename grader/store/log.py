"""The log of a task: what was done, why, by whom, and which runs it names.

A line is a verb and the rest in words for people: which runs it names is kept beside it. Only what
a team was called, and what organisers said a run is, is read from the words again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, exists, insert, select

from grader.model import Event
from grader.store.names import storable
from grader.store.schema import log as table
from grader.store.schema import log_runs, runs
from grader.store.tasks import task_number

Verb = Literal[
    "campaign",
    "dispute add",
    "dispute answer",
    "gold drop",
    "gold from judgements",
    "gold release",
    "gold replace",
    "gold restore",
    "judge import",
    "phase extend",
    "publish early",
    "run amend",
    "run commit",
    "run describe",
    "run flag",
    "run readmit",
    "run rename",
    "run restore",
    "run waive",
    "run withdraw",
    "task copy",
    "task freeze",
    "task update",
    "team consent",
    "team erase",
    "team merge",
    "team rename",
]

_STILL: tuple[Verb, ...] = (  # what moves no result and no rank
    "campaign",
    "dispute add",
    "dispute answer",
    "gold release",
    "publish early",
    "run describe",
    "run rename",
    "task copy",
    "task freeze",
    "team consent",
    "team rename",
)


def log(  # noqa: PLR0913, PLR0917, each is a column
    db: Connection,
    slug: str,
    what: str,
    why: str,
    at: datetime,
    who: str = "organiser",
    runs_named: Sequence[str] = (),
) -> int:
    """Write down what was done to a task, why and by whom; return the key of the line.

    what        a ``Verb``, then a colon and the rest, if there is more to say
    runs_named  the slugs of the runs that it is about, the one that it begins with first
    """
    verb, _, rest = what.partition(": ")
    if verb not in get_args(Verb):
        raise ValueError(f"{verb!r} is no verb of the log: give it to Verb")
    task = task_number(db, slug)
    row = {
        "task_id": task,
        "verb": verb,
        "what": storable("what was done", rest, 10_000),
        "why": storable("the reason", why, 10_000),
        "who": storable("a name", who, 500),
        "at": at,
    }
    line = int(db.execute(insert(table).values(row).returning(table.c.id)).scalar_one())
    if named := tuple(dict.fromkeys(runs_named)):
        of = (runs.c.task_id == task, runs.c.slug.in_(named))
        keys = {row.slug: row.id for row in db.execute(select(runs.c.slug, runs.c.id).where(*of))}
        rows = [
            {"log_id": line, "position": i, "run_id": keys[run]} for i, run in enumerate(named)
        ]
        db.execute(insert(log_runs), rows)
    return line


def moved_since(db: Connection, slug: str, since: datetime, at: datetime) -> bool:
    """Whether something was done after an instant that may move a run's result or its rank."""
    mine = (table.c.task_id == task_number(db, slug), table.c.verb.not_in(_STILL))
    return bool(db.scalar(select(exists().where(*mine, table.c.at > since, table.c.at <= at))))


def history(db: Connection, slug: str, run: str | None = None) -> tuple[Event, ...]:
    """What was written down about a task, or of one run of it, the oldest first."""
    mine = table.c.task_id == task_number(db, slug)
    found = select(table.c.verb, table.c.what, table.c.why, table.c.who, table.c.at)
    if run is not None:
        found = found.join(log_runs, log_runs.c.log_id == table.c.id)
        found = found.join(runs, runs.c.id == log_runs.c.run_id)
        mine &= runs.c.slug == run
    return tuple(
        Event(f"{row.verb}: {row.what}" if row.what else row.verb, row.why, row.who, row.at)
        for row in db.execute(found.where(mine).order_by(table.c.id))
    )
