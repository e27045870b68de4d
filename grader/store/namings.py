"""What teams were called before, as the logs of tasks have it."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from grader.model import Naming
from grader.store.log import Verb
from grader.store.schema import log, tasks

_TEXT = r'"(?:[^"\\]|\\.)*"'
_NAMED: Mapping[Verb, re.Pattern[str]] = {
    "team rename": re.compile(rf"({_TEXT}) to ({_TEXT})", re.DOTALL),
    "team merge": re.compile(rf"({_TEXT}) into ({_TEXT})", re.DOTALL),
}


def renamed(before: str, after: str, *, sent: bool = True) -> str:
    r"""What the log says of a team that has another name.

    Of one that has not sent anything no page says what it was called: none ever showed it.

    >>> print(renamed('The "A"', "B"))
    team rename: "The \"A\"" to "B"
    """
    return f"team rename: {_quoted(before)} to {_quoted(after)}{_apart(sent=sent)}"


def merged(before: str, after: str, *, sent: bool = True) -> str:
    """What the log says of a team that is part of another; of one that sent nothing likewise."""
    return f"team merge: {_quoted(before)} into {_quoted(after)}{_apart(sent=sent)}"


def _apart(*, sent: bool) -> str:
    return "" if sent else ", before it sent anything"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def namings(db: Connection, wanted: ColumnElement[bool]) -> dict[int, tuple[Naming, ...]]:
    """What the logs of some tasks say of names, the oldest first; by a task's key.

    Those whose names were erased since say nothing and are left out.
    """
    found: dict[int, list[Naming]] = defaultdict(list)
    for row in db.execute(
        select(log)
        .join(tasks, tasks.c.id == log.c.task_id)
        .where(wanted, log.c.verb.in_(_NAMED))
        .order_by(log.c.id)
    ):
        if naming := named(row):
            found[row.task_id].append(naming)
    return {task: tuple(each) for task, each in found.items()}


def named(line: Row[Any]) -> Naming | None:
    """What a line of the log says of names; None for nothing, or if they were erased since."""
    of = _NAMED.get(line.verb)
    if of is None or (said := of.fullmatch(line.what)) is None:
        return None
    before, after = json.loads(said[1]), json.loads(said[2])
    merge = line.verb == "team merge"
    return None if before == after else Naming(before, after, merge, line.why, line.at)
