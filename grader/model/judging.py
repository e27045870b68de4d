"""People and models say which answers are right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from grader.model.comparison import Versus
from grader.model.score import Score

Word = Literal["right", "wrong", "bad"]
SAME = "same"  # what a judge writes for the label of the near-identical answer that is proposed


@dataclass(frozen=True, slots=True)
class Judging:
    """How a judged task is judged.

    ``unit`` is what a judge sees: an ``answer`` to an instance, once for all runs that give it,
    or that of one ``run``, where what supports it differs. ``right`` and ``wrong`` list the
    labels that make an answer so, ``bad`` is the one that says it of the question. Where judges
    differ, the ``majority`` decides, or nobody until they have ``agreed``; the word of the
    ``chair``, a judge's name, stands above all others.
    """

    unit: Literal["answer", "run"] = "answer"
    right: tuple[str, ...] = ("right",)
    wrong: tuple[str, ...] = ("wrong",)
    bad: str = "bad question"
    rule: Literal["majority", "agreed"] = "majority"
    chair: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """All that a judge may say."""
        return (*self.right, *self.wrong, self.bad)

    def word(self, label: str) -> Word:
        """What a label says: of the answer, or of the question."""
        if label == self.bad:
            return "bad"
        return "right" if label in self.right else "wrong"


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges: a person, a model with the SHA-256 of its prompt, or an outside pipeline."""

    name: str
    kind: Literal["person", "model", "pipeline"] = "person"
    prompt: str = ""


class Unit(NamedTuple):
    """What is judged once: an answer to an instance. A tuple, since millions are looked up.

    ``run`` is the SHA-256 of the bytes of the run that gives it, where each run's is judged by
    itself; else empty.
    """

    id: str
    answer: str
    run: str = ""

    @property
    def known_as(self) -> str:
        """What the gold lists it as."""
        return self.run or self.answer


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of a unit, and when; ``why`` is the reason of a change of mind.

    ``columns`` are further numbers of the unit, by name, which are shown and averaged.
    """

    unit: Unit
    judge: str
    label: str
    at: datetime
    why: str = ""
    columns: Mapping[str, float] = field(default_factory=dict)

    def contradicts(self, before: "Judgement") -> bool:
        """Whether it takes back what the judge said before, and does not only add a number."""
        moved = (name for name, value in before.columns.items() if self.columns[name] != value)
        return self.label != before.label or any(moved)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far judges agree on the labels of the ``n`` units that two of them at least judged.

    ``raw`` is the share of pairs of judgements of one unit that agree; ``specific`` the same, by
    label, of those pairs of which one has that label; ``said`` how often judges gave it to these
    units. ``coefficient`` is beyond chance: Cohen's kappa of two judges, Krippendorff's alpha of
    more (``kind``). None where undefined; ``why`` says it of the coefficient.
    """

    judges: tuple[str, ...]
    kind: Literal["kappa", "alpha"]
    n: int
    raw: float | None
    specific: Mapping[str, float | None]
    said: Mapping[str, int]
    coefficient: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Alone:
    """The ranked runs under the word of one judge alone, and beside it under the rule.

    Both on the ``n`` instances of which the judge judged every answer of these runs, and called
    none a bad question. ``values`` has by a run's slug its score under the judge and under the
    rule. ``telling``, by slug, is the least number of instances, 0 for none, by which one of the
    two scores differs from the other, from the board's, or from one under a judge before this.
    ``tau`` is Kendall's tau-b of the two orders, at the board's decimals; None where undefined,
    and ``why``.
    """

    judge: str
    n: int
    values: Mapping[str, tuple[Score, Score]] = field(default_factory=dict)
    telling: Mapping[str, int] = field(default_factory=dict)
    tau: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Concordance:
    """Kendall's tau-b between the boards of two judges, on the ``n`` instances of both.

    ``values`` has by a run's slug its score under each of the two, ``telling`` the number of
    instances by which these differ.
    """

    judges: tuple[str, str]
    n: int
    values: Mapping[str, tuple[Score, Score]] = field(default_factory=dict)
    telling: Mapping[str, int] = field(default_factory=dict)
    tau: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a further number over the ``n`` instances of a run that have it."""

    n: int
    value: float


@dataclass(frozen=True, slots=True)
class Column:
    """A further number: its mean of each run by slug, the largest first, and their comparison.

    The numbers of several judges of one unit count as their mean.
    """

    name: str
    means: Mapping[str, Mean]
    versus: Versus


@dataclass(frozen=True, slots=True)
class Covered:
    """Of the ``of`` answers of a run that are to be judged, of how many it is known what holds."""

    decided: int
    of: int


@dataclass(frozen=True, slots=True)
class Witness:
    """How a task was judged, or a phase of it: for those who read its board.

    Of the ``units`` of its runs ``judged`` ones were judged by somebody, and of ``decided`` ones
    it is known what holds. ``judges`` have the number of these units that each judged;
    ``covered`` is by a run's slug.
    """

    units: int
    judged: int
    decided: int
    judges: tuple[tuple[Judge, int], ...] = ()
    covered: Mapping[str, Covered] = field(default_factory=dict)
    agreements: tuple[Agreement, ...] = ()
    boards: tuple[Alone, ...] = ()
    concordances: tuple[Concordance, ...] = ()
    columns: tuple[Column, ...] = ()
