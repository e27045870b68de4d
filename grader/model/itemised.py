"""Results instance by instance, and gold that is public."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np

from grader.model.arrays import FloatArray
from grader.model.judging import Judgement, Word
from grader.model.task import Gold

Result = Literal["right", "wrong", "waiting", "missing", "dropped"]


@dataclass(frozen=True, slots=True)
class Itemised:
    """A run instance by instance, in gold order: the instances of its phase's part of the gold.

    ``answers[i]`` is None where the run has none, and ``confidence[i]`` then NaN, as it is in
    interval tasks, which have ``bounds`` of shape (n, 2) instead (else it is empty). ``subsets``
    are the values in each of the ``dimensions``, empty for none. ``consent``: its team lets it be
    archived.
    """

    run: str
    team: str
    name: str
    ids: tuple[str, ...]
    answers: tuple[str | None, ...]
    confidence: FloatArray
    results: tuple[Result, ...]
    dimensions: tuple[str, ...] = ()
    subsets: tuple[tuple[str, ...], ...] = ()
    bounds: FloatArray = field(default_factory=lambda: np.empty((0, 2)))
    consent: bool = False

    @property
    def reward(self) -> FloatArray:
        """Shape (n,), in [0, 1]: the confidence where right, its complement where wrong; or NaN.

        It is NaN where nothing is known, or nobody stated a confidence.
        """
        right = np.array([r == "right" for r in self.results], dtype=np.bool_)
        known = np.array([r in ("right", "wrong") for r in self.results], dtype=np.bool_)
        found = np.where(right, self.confidence, 1.0 - self.confidence)
        return np.where(known, found, np.nan)

    @property
    def correct(self) -> FloatArray:
        """Shape (n,): 1 where right, 0 where wrong, NaN where neither is known."""
        codes = {"right": 1.0, "wrong": 0.0}
        return np.array([codes.get(r, np.nan) for r in self.results], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Field:
    """What the other teams did on each instance: an official run of each, without the reader's.

    ``teams`` are in it. Of each instance ``right`` says in words how many were right, and
    ``least``, ``median`` and ``most`` are of the rewards without the lowest and the highest;
    empty and NaN where that is not told. ``why``: nothing at all is told, and all is empty.
    """

    teams: int
    right: tuple[str, ...] = ()
    least: FloatArray = field(default_factory=lambda: np.empty(0))
    median: FloatArray = field(default_factory=lambda: np.empty(0))
    most: FloatArray = field(default_factory=lambda: np.empty(0))
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A judgement, and what the rule makes of its unit: None while it leaves it open."""

    judgement: Judgement
    word: Word | None


@dataclass(frozen=True, slots=True)
class OpenGold:
    """A gold version with all that its commitment binds; ``salt`` is the commitment's key in hex.

    ``released`` is the instant from which it is public, None while it is not. ``judgements`` are
    those that stood when the version came. ``whole``: nothing is left out, so that the commitment
    can be found again.
    """

    gold: Gold
    commitment: str
    salt: str
    released: datetime | None
    judgements: tuple[Resolved, ...] = ()
    whole: bool = True
