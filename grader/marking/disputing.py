"""What teams object to: an instance, a run, or an instance in a run; and what is answered."""

from dataclasses import replace
from datetime import datetime

from grader import store
from grader.errors import Mistake
from grader.model import Dispute
from grader.store import Connection
from grader.tasks.names import did_you_mean, spellings


def dispute(db: Connection, slug: str, new: Dispute) -> int:
    """Keep an objection, and log it; return its number.

    new     its ``number`` is not looked at

    raises  Mistake, for an unknown task, instance, run or team, or if it is about nothing
    """
    gold = store.registered(db, slug, lock=True).gold
    if new.instance is None and new.run is None:
        raise Mistake("a dispute is about an instance, a run, or both")
    if new.instance is not None and new.instance not in gold.ids:
        hint = did_you_mean(new.instance, spellings(gold.ids))
        raise Mistake(f"there is no instance {new.instance!r} of {slug!r}{hint}")
    if new.team is not None:
        new = replace(new, team=store.team(db, new.team).name)
    number = store.add_dispute(db, slug, new)
    what = f"dispute add: {number} on {about(new)}"
    named = [] if new.run is None else [new.run]
    store.log(db, slug, what, new.said or "", new.opened, new.team or "organiser", named)
    return number


def answer(db: Connection, slug: str, number: int, said: str, at: datetime) -> None:
    """Keep the answer to an objection in place of an earlier one, which stays in the log.

    raises  Mistake, for an unknown task or number
    """
    run = store.answer_dispute(db, slug, number, said, at)
    named = [] if run is None else [run]
    store.log(db, slug, f"dispute answer: {number}", said, at, runs_named=named)


def about(of: Dispute) -> str:
    """What a dispute is about, in words."""
    return " in ".join(filter(None, (of.instance, of.run)))
