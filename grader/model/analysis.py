"""What a run's page says of a run beside its scores. None of it is ranked."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Reading:
    """A measure's value, and its floor if it is a calibration error that has one.

    An undefined value is None, and note says why.
    """

    measure: str
    value: float | None
    note: str = ""
    floor_mean: float | None = None
    floor_95: float | None = None


@dataclass(frozen=True, slots=True)
class Rung:
    """A calibration error beside its floor: what calibrated confidences would score by noise.

    The floor is None where it was not worked out; ``reason`` says why.
    """

    measure: str
    value: float
    mean: float | None = None
    q95: float | None = None
    reason: str = ""

    @property
    def above(self) -> bool | None:
        """Whether noise alone would seldom (in 5% of cases) score as much."""
        return None if self.q95 is None else self.value > self.q95


@dataclass(frozen=True, slots=True)
class Verdict:
    """A run's rewards; ``low`` to ``high`` is the interval of R_U − R_O.

    ``reason`` says why there is no interval; ``note`` which conventions decided a reward.
    """

    r_o: float
    r_u: float
    hmr: float
    low: float | None = None
    high: float | None = None
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cross:
    """Right answers of one subset against wrong ones of another.

    ``wins`` of the ``pairs`` have the right one surer; ties count half.
    """

    right: str
    wrong: str
    pairs: int
    wins: float

    @property
    def auroc(self) -> float | None:
        return self.wins / self.pairs if self.pairs else None


@dataclass(frozen=True, slots=True)
class Pooling:
    """The AUROC of the whole as a mean over pairs of subsets, weighted by their pairs.

    ``crosses`` are all ordered pairs of subsets, or only each with itself (``listed`` False).
    ``smallest`` is the size of the smallest subset that has an instance.
    """

    dimension: str
    smallest: int
    crosses: tuple[Cross, ...]
    within: Cross
    across: Cross
    listed: bool = True

    @property
    def pairs(self) -> int:
        return self.within.pairs + self.across.pairs

    @property
    def pooled(self) -> float:
        return (self.within.wins + self.across.wins) / self.pairs

    @property
    def highest(self) -> float | None:
        """The highest AUROC within a subset; None if none has one."""
        inside = (c.auroc for c in self.crosses if c.right == c.wrong)
        return max((a for a in inside if a is not None), default=None)

    @property
    def trap(self) -> bool:
        """Whether the pooled value lies above that of every subset."""
        return self.highest is not None and self.across.pairs > 0 and self.pooled > self.highest


@dataclass(frozen=True, slots=True)
class Kept:
    """The answers with a confidence of at least ``threshold``: how many, and how many right.

    ``right`` is no whole number where it is what a rounded accuracy amounts to. ``sure`` is the
    sum of their confidences.
    """

    threshold: float
    kept: int
    right: float
    sure: float

    @property
    def accuracy(self) -> float:
        return self.right / self.kept


@dataclass(frozen=True, slots=True)
class Reach:
    """The most answers that can be kept at an accuracy of ``percent``; None: at no threshold."""

    percent: int
    at: Kept | None


@dataclass(frozen=True, slots=True)
class Selective:
    """Accuracy against coverage of ``n`` answers, at thresholds only, the surest first.

    ``coarse``: most thresholds are left out, and ``reaches`` are read at ``points`` alone.
    """

    n: int
    points: tuple[Kept, ...]
    reaches: tuple[Reach, ...]
    coarse: bool = False


@dataclass(frozen=True, slots=True)
class Flagged:
    """Instances that a threshold flags, and how many of them are sought.

    ``caught`` is None where the viewer may not see it.
    """

    threshold: float
    flagged: int
    caught: int | None


@dataclass(frozen=True, slots=True)
class Scope:
    """How well a run tells the ``sought`` instances whose gold is the task's rejection label.

    By ``confidence`` an instance is flagged at or below a threshold, by ``probability`` (of the
    label) at or above it. ``auroc`` is None if no instance is sought or all are.
    """

    label: str
    by: Literal["confidence", "probability"]
    n: int
    sought: int
    auroc: float | None
    rows: tuple[Flagged, ...]


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """A run's readings with confidences learnt on other instances."""

    method: Literal["isotonic", "temperature"]
    readings: tuple[Reading, ...]
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Recalibration:
    """What honest confidences would have scored; ``reason`` says why it was not tried."""

    folds: int
    before: tuple[Reading, ...]
    after: tuple[Recalibrated, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """The run's own answers with other confidences; ``key`` names which."""

    key: Literal["one", "half", "accuracy", "random", "threshold"]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything beside the scores. A part is empty or None where it means nothing."""

    ladder: tuple[Rung, ...]
    verdict: Verdict
    poolings: tuple[Pooling, ...]
    selective: Selective
    scope: Scope | None
    recalibration: Recalibration
    references: tuple[Reference, ...]
