"""Addresses of subsets and phases: slugs minted from what people typed."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from grader.tasks import DEVICES, RESERVED

_LONGEST = 40
# What a name folds to that says nothing of it, or that folders have other uses for.
_RESERVED = {"x", "index"}
BEFORE = "before"  # the runs that came before there were phases


@dataclass(frozen=True, slots=True)
class Part:
    """A subset: a value of a dimension with its n scored instances, and its address."""

    dimension: str
    value: str
    n: int
    slug: str

    @property
    def key(self) -> str:
        """What scores call it."""
        return f"{self.dimension}={self.value}"


def parts(dimensions: Iterable[tuple[str, tuple[tuple[str, int], ...]]]) -> tuple[Part, ...]:
    """Every value of every dimension, each with its own address.

    A slug is ``dimension.value`` in plain letters and digits. Where that says nothing of the
    value, or two values would share it, a digest of the value follows.

    >>> [p.slug for p in parts([("exam", (("Law 1", 3), ("law-1", 2), ("2018", 4), ("東京", 1)))])]
    ['exam.law-1.50062fe5', 'exam.law-1.83ec8735', 'exam.2018', 'exam.x.f758066c']
    """
    found = [(name, value, n) for name, values in dimensions for value, n in values]
    shared = Counter(_plain(name, value) for name, value, _ in found)
    return tuple(
        Part(name, value, n, _slug(name, value, alone=shared[_plain(name, value)] == 1))
        for name, value, n in found
    )


def phases(names: Sequence[str]) -> tuple[str, ...]:
    """The slug of each phase of a task: its name in plain letters and digits.

    Where that says nothing of the name, is used for something else, or an earlier name has it, a
    digest of the name follows: what comes later moves no address.

    >>> phases(["Dry run", "Index", "東京", "Dry run!"])
    ('dry-run', 'index.39c3be11', 'x.130016b2', 'dry-run.a83ad2fb')
    """
    taken, found = {*_RESERVED, BEFORE}, []
    for typed in names:
        name = _fold(typed)
        found.append(f"{name}.{_digest(typed)}" if name in taken else name)
        taken.add(name)
    return tuple(found)


def _plain(name: str, value: str) -> str:
    return f"{_fold(name)}.{_fold(value)}"


def _slug(name: str, value: str, *, alone: bool) -> str:
    if alone and _fold(name) != "x" and _fold(value) != "x":
        return _plain(name, value)
    return f"{_plain(name, value)}.{_digest(f'{name}={value}')}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub("[^a-z0-9]+", "-", letters).strip("-")[:_LONGEST].strip("-") or "x"
    return f"{name}-" if name in DEVICES else name


def tasks_shown(paths: Iterable[str]) -> set[str]:
    """The addresses of the tasks that a site of these paths has boards of.

    A team or a campaign may be called index: the folder that its page is in is no task.
    """
    boards = (p for p in paths if p.endswith("/index.html") and p.count("/") == 1)
    return {p.split("/")[0] for p in boards} - RESERVED
