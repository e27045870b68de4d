"""Official results, frozen as the public saw them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from grader.model.score import Score
from grader.model.upload import Flag
from grader.model.versions import Drop


@dataclass(frozen=True, slots=True)
class FrozenRow:
    """A run's place and scores on a board; ``run`` is the key of its row in the database.

    Scores are at the decimals of the board, with those details that pages print.
    """

    run: int
    rank: int | None
    why: str
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class FrozenBoard:
    """The board of a phase (empty: none), whole or of a subset, in the order of its rows."""

    phase: str
    subset: str
    rule: str
    digits: int
    scored: int
    rows: tuple[FrozenRow, ...]


@dataclass(frozen=True, slots=True)
class FrozenRun:
    """What a run was; ``settings`` ends the signature of each of its scores.

    No name is in it: who sent it, and what it is called, is looked up when it is read.
    """

    run: int
    phase: str
    sha256: str
    received: datetime
    flags: Mapping[Flag, str]
    settings: str


@dataclass(frozen=True, slots=True)
class FrozenGold:
    version: int
    commitment: str
    n: int
    scored: int
    drops: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Frozen:
    """A task's public boards at an instant."""

    title: str
    primary: str
    gold: FrozenGold
    runs: tuple[FrozenRun, ...]
    boards: tuple[FrozenBoard, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """What a frozen run is called now."""

    slug: str
    team: str
    name: str


@dataclass(frozen=True, slots=True)
class Erratum:
    """What happened after results were frozen, to a run (its slug) or to the task, and why."""

    at: datetime
    what: str
    why: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class Release:
    """Results frozen under a name. ``names`` has every run of it, ``errata`` the oldest first."""

    name: str
    at: datetime
    why: str
    frozen: Frozen
    names: Mapping[int, Named]
    errata: tuple[Erratum, ...] = ()
