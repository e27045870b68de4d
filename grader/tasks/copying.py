"""A task's file as that of another task: its title, gold and dates change, all else stays."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.errors import Mistake
from grader.instants import read_instant
from grader.model import Phase, Task
from grader.tasks import contents, declared, parse
from grader.tasks.document import decoded, document
from grader.tasks.phases import WANTED
from grader.tasks.written import written

_TABLE = re.compile(r"\s*\[")
_PHASE = re.compile(r"\s*\[\[\s*phase\s*\]\]")


def copied(text: str, old: Task, new: Task) -> str:
    """The text of a task.toml with what differs of two tasks changed, and its comments kept.

    Where that cannot be, because a text is written over several lines or a table in one, it is
    written anew, without comments.

    raises  Mistake, if the new task cannot be so
    """
    edited = _edited(text, old, new)
    try:
        if parse(edited, new.slug) == new:
            return edited
    except Mistake:
        pass
    anew = written(new)
    parse(anew, new.slug)
    return anew


def _edited(text: str, old: Task, new: Task) -> str:
    """The text with the lines of title, gold file and phases in the place of the old ones."""
    made = "".join(_lines(text, old, new)).rstrip()
    if old.gold.file != new.gold.file and f"\n{_filed(new)}\n" not in made:
        made += f"\n\n[gold]\n{_filed(new)}"
    phases = written(Task(new.slug, "", phases=new.phases)) if old.phases != new.phases else ""
    return f"{made}\n{phases}"


def _filed(task: Task) -> str:
    return f"file = {_text(task.gold.file)}"


def _lines(text: str, old: Task, new: Task) -> Iterator[str]:
    """Yield the lines, without phases where the new ones are others."""
    inside, titled = "", False
    for line in text.removeprefix("\ufeff").splitlines(keepends=True):
        if _TABLE.match(line):
            inside = line.strip()
        if old.phases != new.phases and _PHASE.match(inside):
            continue
        if not (inside or titled) and re.match(r"\s*title\s*=", line):
            titled = True
            yield f"title = {_text(new.title)}\n"
        elif inside == "[gold]" and re.match(r"\s*file\s*=", line):
            yield f"{_filed(new)}\n"
        else:
            yield line


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def read_phases(file: Path, text: str, slug: str) -> tuple[Phase, ...]:
    """The phases of a TOML file of [[phase]] tables, as those of the task of a task.toml.

    raises  Mistake, for phases that the task cannot have, or for any other key
    """
    given = document(decoded(contents(file), str(file)), str(file))
    if other := [key for key in given if key != "phase"]:
        raise Mistake(f"{file} is to hold tables [[phase]] alone, and has {', '.join(other)}")
    return declared({**document(text), "phase": given.get("phase", [])}, slug, str(file)).phases


def moved(phases: tuple[Phase, ...], opens: str) -> tuple[Phase, ...]:
    """The phases moved together, so that the first opens at that instant: distances stay.

    raises  Mistake, for a text that is no instant, or where there are no phases
    """
    start = read_instant(opens)
    if start is None:
        raise Mistake(f"{opens[:60]!r} is not {WANTED}")
    if not phases:
        raise Mistake("the task has no phases to move", mend="give them by --phases FILE")
    by = start - phases[0].opens
    return tuple(
        replace(
            phase,
            opens=phase.opens + by,
            closes=phase.closes + by,
            reveal=phase.reveal and phase.reveal + by,
        )
        for phase in phases
    )


def over(phases: tuple[Phase, ...], at: datetime) -> bool:
    """Whether there are phases, and none of them takes runs from that instant on."""
    return bool(phases) and all(phase.closes <= at for phase in phases)
