"""What teams were called before, as the logs of tasks have it."""

import json
import re
from collections import defaultdict

from sqlalchemy import ColumnElement, Connection, select

from grader.model import Naming
from grader.store.schema import log, tasks

_TEXT = r'"(?:[^"\\]|\\.)*"'
_RENAMED = re.compile(rf"team rename: ({_TEXT}) to ({_TEXT})", re.DOTALL)
_MERGED = re.compile(rf"team merge: ({_TEXT}) into ({_TEXT})", re.DOTALL)


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
        .where(wanted, log.c.what.like("team %"))
        .order_by(log.c.id)
    ):
        said = _RENAMED.fullmatch(row.what) or _MERGED.fullmatch(row.what)
        if said is None:
            continue
        before, after = json.loads(said[1]), json.loads(said[2])
        if before != after:
            merge = row.what.startswith("team merge")
            found[row.task_id].append(Naming(before, after, merge, row.why, row.at))
    return {task: tuple(each) for task, each in found.items()}
