"""People and models say which answers are right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


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


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges: a person, a model with the SHA-256 of its prompt, or an outside pipeline."""

    name: str
    kind: Literal["person", "model", "pipeline"] = "person"
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is judged once: an answer to an instance.

    ``run`` is the SHA-256 of the bytes of the run that gives it, where each run's is judged by
    itself; else empty.
    """

    id: str
    answer: str
    run: str = ""


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
