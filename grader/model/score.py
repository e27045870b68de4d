"""A run that passed every check, measures, and what they say of it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from grader.model.arrays import BoolArray, FloatArray, IntArray
from grader.model.judged import Cells, Judged
from grader.model.sums import Sums
from grader.model.upload import Notice


class Undefined(ValueError):  # noqa: N818, it is an answer, not a fault
    """A measure has no value on this input; the message says why, for the reader."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that passed every check, in gold order.

    ``answers[i]`` is None and ``confidence[i]`` 1 where the instance was left out (the task's
    missing policy allows it); ``probabilities`` is empty or of shape (n, classes),
    NaN where a class is not offered; ``labels`` are the classes. ``bounds`` is empty or, in an
    interval task, of shape (n, 2): lower and upper ends, which may be infinite, NaN where left
    out; ``answers`` are then the points, empty where none is given, and ``confidence`` is 1.
    ``refused`` is empty or of shape (n,): where the run declined by its form, whatever it says.
    ``digest`` is the SHA-256 of its bytes.
    """

    answers: tuple[str | None, ...]
    confidence: FloatArray
    notices: tuple[Notice, ...] = ()
    probabilities: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    labels: tuple[str, ...] = ()
    bounds: FloatArray = field(default_factory=lambda: np.empty((0, 2)))
    refused: BoolArray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a measure found: its value, a note where a convention decided it, and details."""

    value: float
    note: str = ""
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What may stand after the ``@`` of a key: a whole number, a number to inf, or a percent."""

    name: str
    kind: Literal["count", "weight", "percent"]
    example: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, and everything a page must say of it.

    ``key`` is the family's name (``ece``) until a parameter is bound (``ece@10``).
    ``dimension`` makes it the unweighted mean over the subsets of that dimension; ``parts`` are
    the names and places of these, once it is bound to a gold. ``version`` grows when the same
    input would give another number, or other ends of its interval.

    ``fn`` takes Cells and returns shape (B,), NaN where undefined; one that ``needs`` more than
    right or wrong and a confidence takes Judged and returns a Found itself. ``remark`` says what
    decided a value; ``undefined`` why there is none. ``sums``, or ``sums_of`` its
    parameter, makes runs comparable in pairs. ``interval`` is the kind of interval that is
    sound here, ``sides`` how many right and how many wrong answers it needs, or clusters with
    such, ``gate`` what else must hold for it, ``no_interval`` why there is none; the gate
    ``floor`` is that of calibration errors, whether they have intervals or not. Those that take
    Judged give their values with other outcomes, shape (B,): ``by_cells`` of Cells that cross no
    end of their bins, ``by_golds`` of gold classes of shape (B, n), −1 for none.

    ``ordered``: it never changes for the worse when, of two answers, the surer one becomes the
    right one; else ``extremes`` gives of a Judged the least and the largest value over all ways
    to judge what is waiting.
    """

    key: str
    title: str
    fn: Callable[..., Any]
    better: Literal["lower", "higher", "none"]
    bounds: tuple[float, float]
    about: str
    source: str = ""
    parameter: Parameter | None = None
    params: Mapping[str, float] = field(default_factory=dict)
    dimension: str = ""
    parts: tuple[tuple[str, IntArray], ...] = field(default=(), compare=False)
    version: int = 1
    needs: Literal["confidence", "order", "classes", "bounds"] = "confidence"
    remark: Callable[..., tuple[str, Mapping[str, float]]] | None = None
    by_cells: Callable[..., FloatArray] | None = None
    by_golds: Callable[..., FloatArray] | None = None
    undefined: Callable[[Cells], str] = lambda _: "no instances"
    interval: Literal["percentile", "basic", "studentised", "wilson", "none"] = "percentile"
    gate: Literal["none", "certainty", "floor"] = "none"
    sides: int = 0
    no_interval: str = ""
    sums: Sums | None = None
    sums_of: Callable[..., Sums] | None = None
    ordered: bool = False
    extremes: Callable[..., tuple[float, float]] | None = None

    def __call__(self, judged: Judged) -> Found:
        """The value on a run as it is; raises Undefined, with the reason."""
        if not judged.correct.size:
            raise Undefined("no instances")
        if self.parts:
            return self._mean(judged)
        if self.needs != "confidence":
            found: Found = self.fn(judged, **self.params)
            return found
        cells = judged.cells
        value = float(self.fn(cells, **self.params)[0])
        if math.isnan(value):
            raise Undefined(self.undefined(cells))
        note, details = self.remark(cells, **self.params) if self.remark else ("", {})
        return Found(value, note, details)

    def _mean(self, judged: Judged) -> Found:
        """The mean over the parts; undefined if one is."""
        inner, each = replace(self, parts=()), []
        for name, at in self.parts:
            try:
                each.append(inner(judged.part(at)))
            except Undefined as why:
                raise Undefined(f"{name}: {why}") from why
        notes = (f"{n}: {f.note}" for (n, _), f in zip(self.parts, each, strict=True) if f.note)
        return Found(float(np.mean([found.value for found in each])), "; ".join(notes))


class Score(NamedTuple):  # there are very many: tuples are soon made, and soon are columns
    """A measure on a subset (``all`` or ``dimension=value``); value None has a reason in note."""

    measure: str
    subset: str
    n: int
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    no_interval: str = ""
    details: Mapping[str, float] = {}
    version: int = 1

    @property
    def waiting(self) -> int:
        """How many of its answers are not judged yet."""
        return int(self.details.get("not judged", 0))

    @property
    def extremes(self) -> tuple[float, float] | None:
        """The least and the largest value that it can have once they are; None if not known."""
        if "least" not in self.details or "most" not in self.details:
            return None
        return self.details["least"], self.details["most"]

    @property
    def floor_mean(self) -> float | None:
        """What a calibrated run would score by noise alone, in the mean; None without a floor."""
        return self.details.get("floor mean")

    @property
    def floor_95(self) -> float | None:
        """What a calibrated run would stay within in 95% of cases; None without a floor."""
        return self.details.get("floor 95%")

    @property
    def above_floor(self) -> bool | None:
        """Whether noise alone would seldom score as much; None without a floor or a value."""
        if self.value is None or self.floor_95 is None:
            return None
        # Sums of the same terms in another order differ in the last digits.
        return self.value > self.floor_95 + 1e-9
