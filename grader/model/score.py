"""A run, checked, judged and scored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from grader.model.arrays import BoolArray, FloatArray
from grader.model.upload import Notice, Problem


class Undefined(ValueError):  # noqa: N818, it is an answer, not a fault
    """A measure has no value on this input; the message says why, for the reader."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that passed every check, in gold order.

    ``answers[i]`` is None and ``confidence[i]`` 1 where the instance was left out (the task's
    missing policy allows it); ``probabilities`` is empty or of shape (n, classes).
    """

    answers: tuple[str | None, ...]
    confidence: FloatArray
    notices: tuple[Notice, ...] = ()
    probabilities: FloatArray = field(default_factory=lambda: np.empty((0, 0)))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a measure sees: ``correct[i]`` and ``confidence[i]`` speak of the same instance.

    correct     shape (n,), bool: was the answer right
    confidence  shape (n,), in [0, 1]: how sure the run was of it
    """

    correct: BoolArray
    confidence: FloatArray


@dataclass(frozen=True, slots=True)
class Found:
    """What a measure found: its value, a note where a convention decided it, and details."""

    value: float
    note: str = ""
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What may stand after the ``@`` of a key: an integer from 1, or a number from 0 to inf."""

    name: str
    kind: Literal["count", "weight"]
    example: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, and everything a page must say of it.

    ``key`` is the family's name (``ece``) until a parameter is bound (``ece@10``).
    ``dimension`` makes it the unweighted mean over the subsets of that dimension. ``version``
    grows when the same input would give another number.
    """

    key: str
    title: str
    fn: Callable[..., Found]
    better: Literal["lower", "higher", "none"]
    bounds: tuple[float, float]
    about: str
    source: str = ""
    parameter: Parameter | None = None
    params: Mapping[str, float] = field(default_factory=dict)
    dimension: str = ""
    version: int = 1

    def __call__(self, judged: Judged) -> Found:
        return self.fn(judged, **self.params)


@dataclass(frozen=True, slots=True)
class Score:
    """A measure on a subset (``all`` or ``dimension=value``); value None has a reason in note."""

    measure: str
    subset: str
    n: int
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    no_interval: str = ""
    details: Mapping[str, float] = field(default_factory=dict)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a reliability diagram: n instances, their mean confidence and accuracy.

    ``accuracy`` is None where the viewer may not see it: of too few, it tells which are right.
    """

    n: int
    confidence: float
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Graded:
    """A run's scores. ``n`` of ``of`` scored instances were answered, ``right`` of them right."""

    scores: tuple[Score, ...]
    notices: tuple[Notice, ...]
    reliability: tuple[Bin, ...]
    n: int
    of: int
    right: int
    abstained: int


@dataclass(frozen=True, slots=True)
class Rejected:
    problems: tuple[Problem, ...]
