"""The task and its gold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np

from grader.model.arrays import BoolArray, IntArray
from grader.model.judging import Judging
from grader.model.phase import Phase, Split

Status = Literal["scored", "dropped", "unjudged"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A way to cut the gold into subsets: a gold column, and its values if declared.

    An ``optional`` one (the default, ``subset``) is there only if the gold has its column.
    """

    name: str
    values: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class GoldColumns:
    file: str = "gold.csv"
    id: tuple[str, ...] = ("id",)
    answer: str = "answer"
    separator: str = ""
    subsets: tuple[Dimension, ...] = (Dimension("subset", optional=True),)
    cluster: str = ""
    split: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class RunColumns:
    """What a run calls its columns; ``classes`` maps a label to the column of its probability.

    ``format`` is the only one taken, if any; ``event`` the label that lone probabilities are of;
    ``sources`` the runs that nuggets may cite, with other names of each; ``names`` a pattern.
    """

    id: tuple[str, ...] = ("id",)
    answer: str = "answer"
    confidence: str = "confidence"
    classes: Mapping[str, str] = field(default_factory=dict)
    lower: str = "lower"
    upper: str = "upper"
    format: Literal["", "csv", "tsv", "jsonl", "ac", "shroom", "flat", "forecasts"] = ""
    event: str = ""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: str = ""

    @property
    def cited(self) -> Mapping[str, str]:
        """Each name that a nugget may cite, and the run it means; empty if it may cite any."""
        return {name: run for run, other in self.sources.items() for name in (run, *other)}


@dataclass(frozen=True, slots=True)
class Intervals:
    """Of an interval task: the share of gold values that a run's intervals are to cover."""

    level: float = 0.9


@dataclass(frozen=True, slots=True)
class Resampling:
    resamples: int = 1000
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which runs are ranked. Shares are in [0, 1]; equal at ``digits`` decimals is equal."""

    rule: Literal["all", "best", "primary"] = "all"
    min_accuracy: float = 0.0
    min_right: int = 1
    min_coverage: float = 1.0
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Task:
    """A task as its task.toml declares it; tasks/keys.py says what each key may be.

    ``waived`` is in no file: the codes of problems that organisers overlook in the run at hand.
    """

    slug: str
    title: str
    description: str = ""
    primary: str = "hmr"
    measures: tuple[str, ...] = (
        "r_o",
        "r_u",
        "ece@10",
        "bias",
        "auroc",
        "ks",
        "nll",
        "confidence",
    )
    confidence: Literal["probability", "percent"] = "probability"
    answers: Literal["exact", "normalised", "choice", "numeric", "judged"] = "exact"
    labels: tuple[str, ...] = ()
    tolerance: str = "0"
    abstain: tuple[str, ...] = ()
    reject: str = ""
    missing: Literal["reject", "worst", "leave-out"] = "reject"
    precision: int | None = None
    gold: GoldColumns = field(default_factory=GoldColumns)
    run: RunColumns = field(default_factory=RunColumns)
    kind: Literal["answers", "interval"] = "answers"
    interval: Intervals = field(default_factory=Intervals)
    resampling: Resampling = field(default_factory=Resampling)
    ranking: Ranking = field(default_factory=Ranking)
    phases: tuple[Phase, ...] = ()
    judging: Judging = field(default_factory=Judging)
    waived: tuple[str, ...] = ()

    def phase(self, name: str) -> Phase | None:
        """The phase of that name; None if there is none."""
        return next((phase for phase in self.phases if phase.name == name), None)

    @property
    def keys(self) -> tuple[str, ...]:
        """The measures in the order of the board: the primary and the two beside it lead."""
        beside = ("coverage", "width") if self.kind == "interval" else ("accuracy", "brier")
        return tuple(dict.fromkeys((self.primary, *beside, *self.measures)))


@dataclass(frozen=True, slots=True)
class Subsets:
    """One dimension over the gold: ``codes[i]`` is the place in ``values``, -1 for none."""

    name: str
    values: tuple[str, ...]
    codes: IntArray


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether an instance counts, and if not, why, by whose word and since when.

    ``post_hoc``: it was dropped after scores had been seen.
    """

    status: Status = "scored"
    reason: str = ""
    who: str = ""
    when: datetime | None = None
    post_hoc: bool = False


@dataclass(frozen=True, slots=True)
class Gold:
    """What is right. Every field has one item per instance, in gold order.

    ``answers[i]`` holds the accepted answers; an instance with none has no right answer, so
    every answer to it is wrong. In a judged task they are those that were judged right, and
    ``rejected`` those judged wrong (else it is empty): what is in neither waits. ``clusters`` and
    ``splits`` are empty when the task has none. Only the ``part`` counts: all of it, or its
    public or private split.
    """

    ids: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    subsets: tuple[Subsets, ...] = ()
    clusters: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()
    version: int = 1
    part: Split = "all"
    rejected: tuple[tuple[str, ...], ...] = ()

    @property
    def standing(self) -> tuple[Standing, ...]:
        """Where each instance stands: where nothing else is said, it is scored."""
        return self.standings or (Standing(),) * len(self.ids)

    @property
    def scored(self) -> BoolArray:
        """Shape (n,): which instances count."""
        counts = np.ones(len(self.ids), dtype=np.bool_)
        if self.standings:
            counts &= np.array([s.status == "scored" for s in self.standings], dtype=np.bool_)
        if self.part != "all":
            counts &= np.array([s == self.part for s in self.splits], dtype=np.bool_)
        return counts
