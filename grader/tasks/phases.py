"""[[phase]] of a task.toml: its instants, and what is wrong with its phases."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from grader.instants import read_instant
from grader.model import Phase, Task
from grader.tasks.document import WHEN
from grader.tasks.names import controls

INSTANTS = ("opens", "closes", "reveal")
WANTED = 'an instant with its offset ("2027-03-01T12:00Z") or a date with AoE ("2027-03-01 AoE")'
# What each key of a phase may be, and its default.
KEYS = {
    "phase": "tables [[phase]] in the order of time, in which alone runs are taken; default none: "
    "runs are taken at any time",
    "phase.name": "a text of 1 to 60 characters; needed",
    "phase.opens": f"{WANTED}, whose first instant is meant; needed",
    "phase.closes": f"{WANTED}, whose last instant is still open; needed",
    "phase.split": '"all" (default), "public" or "private": the part of the gold that counts',
    "phase.runs": "a whole number from 1: accepted runs of a team in all; default no limit",
    "phase.per_day": "a whole number from 1: accepted runs of a team in a day; default no limit",
    "phase.day": '"utc" (default: a day of UTC) or "rolling" (any 24 hours)',
    "phase.refused": "a whole number from 1: refused files of a team in an hour; default 60",
    "phase.size": "a whole number from 1: bytes of the largest file; default 67108864",
    "phase.visible": 'who sees scores before reveal: "none", "own" (the team), "teams" or '
    '"public" (default)',
    "phase.reveal": f"{WANTED}, not before the close: from then on the public sees scores; "
    "default never",
    "phase.digits": "a whole number from 1 to 10: decimals shown; default ranking.digits",
    "phase.subsets": "true (default) or false: whether scores on subsets are shown before reveal",
    "phase.names": '"teams" (default) or "pseudonyms": what others see on boards before reveal',
    "phase.late": '"refuse" (default) or "unofficial": taken after the close, not ranked',
    "phase.grace": "minutes from 0 to 10080 after the close, in which a run is in time whose "
    "SHA-256 was committed before it; default 0",
}


def arranged(given: object) -> tuple[object, list[tuple[str, str]]]:
    """The phases of a document with their instants read, and (key, what is wrong) of those."""
    if not isinstance(given, list):
        return given, []
    problems: list[tuple[str, str]] = []
    return [_phase(p, problems) if isinstance(p, dict) else p for p in given], problems


def _phase(given: dict[str, Any], problems: list[tuple[str, str]]) -> dict[str, Any]:
    known = {k: v for k, v in given.items() if f"phase.{k}" in KEYS}
    for key in INSTANTS:
        match known.get(key):
            case None:
                continue
            case [[str(when), str(text)]] if when == WHEN:
                pass
            case str(text):
                pass
            case _:
                continue  # the type's check says it
        found = read_instant(text, end=key == "closes")
        if found is None:
            problems.append((f"phase.{key}", _unread(text)))
        known[key] = (found or datetime(2000, 1, 1, tzinfo=UTC)).isoformat()
    return known


def _unread(text: str) -> str:
    try:
        naive = datetime.fromisoformat(text.strip()).tzinfo is None
    except ValueError:
        naive = False
    return f"is {text[:60]!r}" + (", which names no time zone" if naive else "")


def checks(task: Task) -> Iterator[tuple[str, str]]:
    """Yield (key, what is wrong) for what a task's phases cannot mean."""
    for phase in task.phases:
        yield from _one(phase)
        if phase.split != "all" and not task.gold.split:
            yield "phase.split", f"is {phase.split!r}, and gold.split names no column"
    for name, n in Counter(p.name.strip().casefold() for p in task.phases).items():
        if n > 1:
            yield "phase.name", f"{name!r} stands {n} times"
    for before, after in pairwise(task.phases):
        if after.opens < before.closes:
            yield "phase.opens", f"{after.name!r} opens before {before.name!r} closes"


def _one(phase: Phase) -> Iterator[tuple[str, str]]:
    if not phase.name.strip() or phase.name != phase.name.strip() or controls(phase.name):
        yield "phase.name", f"is {phase.name!r}: blank, or with outer spaces or line breaks"
    elif len(phase.name) > 60:
        yield "phase.name", f"has {len(phase.name)} characters"
    if phase.closes <= phase.opens:
        yield "phase.closes", f"{phase.name!r} closes before it opens"
    if phase.reveal is not None and phase.reveal < phase.closes:
        yield "phase.reveal", f"{phase.name!r} is revealed before it closes"
    within = {
        "runs": (phase.runs, 1, 10**6),
        "per_day": (phase.per_day, 1, 10**6),
        "refused": (phase.refused, 1, 10**6),
        "size": (phase.size, 1, 64 * 2**20),
        "digits": (phase.digits, 1, 10),
        "grace": (phase.grace, 0, 10080),
    }
    for key, (value, low, high) in within.items():
        if value is not None and not low <= value <= high:
            yield f"phase.{key}", f"is {value}"
