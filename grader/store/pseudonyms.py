"""What runs are called in phases in which nobody is to know whose they are."""

import hmac
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Connection, Row, select

from grader.model import Pseudonym, Task
from grader.store.schema import golds, runs, tasks, teams
from grader.tasks import parse

# No vowels, so that no word comes out, and nothing that is taken for something else.
_LETTERS = "23456789BCDFGHJKMNPQRTVWXZ"
_LONG = 6
# No slug of a team has an underscore: a pseudonym is nobody's address.
_MARK = "team_"


def codes(key: bytes, phase: str, numbers: Iterable[int]) -> Mapping[int, str]:
    """A code for each team in a phase, by its number: keyed, so that no name leads to it.

    Of two that would share one, the team that came later has its next: no new team moves it.

    >>> codes(b"k", "formal", [1, 2])
    {1: 'V4RV93', 2: 'JJ6K2H'}
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for number in sorted(numbers):
        turn = 0
        while (code := _code(key, f"pseudonym\0{phase}\0{number}\0{turn}")) in taken:
            turn += 1
        taken.add(code)
        found[number] = code
    return found


def _code(key: bytes, said: str) -> str:
    value = int.from_bytes(hmac.digest(key, said.encode(), "sha256"), "big")
    letters = []
    for _ in range(_LONG):
        value, at = divmod(value, len(_LETTERS))
        letters.append(_LETTERS[at])
    return "".join(letters)


def pseudonyms(
    db: Connection, known: Mapping[int, Task], rows: Sequence[Row[Any]]
) -> Mapping[int, Pseudonym]:
    """The pseudonyms of runs in phases that have such, by the runs' keys.

    A run's number is its place among those of its team in its phase: it tells of no other phase.

    known  the tasks by key
    rows   all runs of these (id, task_id, team_id, phase), the oldest first
    """
    hiding = {
        (key, phase.name)
        for key, task in known.items()
        for phase in task.phases
        if phase.names == "pseudonyms"
    }
    if not hiding:
        return {}
    numbers = db.scalars(select(teams.c.id)).all()
    first = select(golds.c.task_id, golds.c.salt).where(golds.c.version == 1)
    keys = {row.task_id: row.salt for row in db.execute(first)}
    coded = {(task, name): codes(keys[task], name, numbers) for task, name in hiding}
    found: dict[int, Pseudonym] = {}
    sent: Counter[tuple[int, str, int]] = Counter()
    for row in rows:
        if (place := (row.task_id, row.phase)) not in coded:
            continue
        code, whose = coded[place][row.team_id], (*place, row.team_id)
        sent[whose] += 1
        slug = f"{_MARK}{code.lower()}"
        found[row.id] = Pseudonym(f"Team {code}", slug, f"{slug}-{sent[whose]}")
    return found


def pseudonym(db: Connection, slug: str, run: str) -> Pseudonym | None:
    """What a run is called where nobody is to know whose it is; None in a phase without such."""
    found, rows = _of(db, slug)
    return next((found[row.id] for row in rows if row.slug == run and row.id in found), None)


def behind(db: Connection, slug: str, address: str) -> str:
    """The run that an address is of: itself, or the one that has it for a pseudonym."""
    return each_behind(db, slug, [address])[address]


def each_behind(db: Connection, slug: str, addresses: Sequence[str]) -> Mapping[str, str]:
    """The same of many, by the address."""
    if not any(address.startswith(_MARK) for address in addresses):
        return {address: address for address in addresses}
    found, rows = _of(db, slug)
    real = {found[row.id].run: row.slug for row in rows if row.id in found}
    return {address: real.get(address, address) for address in addresses}


def _of(db: Connection, slug: str) -> tuple[Mapping[int, Pseudonym], Sequence[Row[Any]]]:
    """The pseudonyms of a task's runs, by their keys, and these runs."""
    task = db.execute(select(tasks).where(tasks.c.slug == slug)).one_or_none()
    if task is None:
        return {}, ()
    wanted = select(runs.c.id, runs.c.task_id, runs.c.team_id, runs.c.phase, runs.c.slug)
    mine = wanted.where(runs.c.task_id == task.id).order_by(runs.c.id)
    rows = cast("Sequence[Row[Any]]", db.execute(mine).all())
    return pseudonyms(db, {task.id: parse(task.config, slug)}, rows), rows
