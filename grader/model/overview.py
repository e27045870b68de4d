"""What an overview says of a task: how orders agree, how hard instances are, what they decide."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from grader.model.results import Results


@dataclass(frozen=True, slots=True)
class Order:
    """Kendall's tau-b of two orders of the same ``runs``; None where undefined, and ``why``.

    Of two measures; of a judge alone and the rule, or of two judges; of the board and what it was
    under an earlier gold version, or would be if dropped instances counted.
    """

    kind: Literal["measures", "judge", "judges", "version", "dropped"]
    one: str
    other: str
    runs: int
    tau: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Instance:
    """How hard a scored instance is for the ``runs`` that are scored on it.

    ``right`` of them are, of ``waiting`` ones nobody has judged the answer. ``sure_right`` and
    ``sure_wrong`` are the mean confidences of right and of wrong answers, ``reward`` the mean of
    the confidence of right ones and 1 less that of wrong ones; None where there is no such answer,
    and of intervals, which state none.

    ``moved`` is the largest change of a run's primary if the instance were left out, of the run
    ``by``; ``reranked`` ranked runs would have another rank, by up to ``shift`` ranks. None where
    no run has a value.
    """

    id: str
    runs: int
    right: int
    waiting: int
    sure_right: float | None
    sure_wrong: float | None
    reward: float | None
    moved: float | None = None
    by: str = ""
    reranked: int | None = None
    shift: int | None = None

    @property
    def share(self) -> float | None:
        """The share of runs that are right; None while it is not known, or of no run."""
        return None if self.waiting or not self.runs else self.right / self.runs


@dataclass(frozen=True, slots=True)
class Influence:
    """A run's ``value`` of the primary, and what it would be ``without`` each instance.

    In the order of the instances; the value itself where the run is not scored on one, None where
    the primary is undefined without it. Empty if the value is: then ``why``.
    """

    run: str
    value: float | None
    without: tuple[float | None, ...] = ()
    why: str = ""

    @property
    def moved(self) -> tuple[float | None, ...]:
        """By how much the value moves without each instance."""
        if self.value is None:
            return ()
        return tuple(None if left is None else left - self.value for left in self.without)


@dataclass(frozen=True, slots=True)
class Overview:
    """The results of a phase, or of a task without any, and what a paper says of them.

    ``results`` have the comparison of the board, dropped instances, versions and judges.
    ``counted`` are the runs of which instances speak: all that are scored and not withdrawn.
    ``together`` are the ranks if all dropped instances counted; empty if there is none, or
    ``results.dropped`` does not know. ``addresses`` are the teams' slugs, by their names.
    """

    results: Results
    counted: tuple[str, ...]
    orders: tuple[Order, ...]
    instances: tuple[Instance, ...]
    influences: tuple[Influence, ...]
    together: Mapping[str, int | None] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
