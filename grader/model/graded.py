"""All scores of a run together, or why it has none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Self

from grader.model.analysis import Analysis
from grader.model.arrays import BoolArray
from grader.model.judged import Judged
from grader.model.phase import Slots
from grader.model.score import Score
from grader.model.unread import Unread
from grader.model.upload import Notice, Problem


class Stored(tuple[Score, ...]):  # noqa: SLOT001, a tuple has room for no slot
    """A run's scores as they are stored; what is made of them is a plain tuple.

    ``source`` is another for all that there ever were, and depends on nothing that they say.
    """

    source: str

    def __new__(cls, scores: Iterable[Score], source: str) -> Self:
        made = super().__new__(cls, scores)
        made.source = source
        return made


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a reliability diagram: n instances, their mean confidence and accuracy.

    ``accuracy`` is None where the viewer may not see it: of too few, it tells which are right.
    """

    n: int
    confidence: float
    accuracy: float | None


@lru_cache(maxsize=64)
def _keys(measures: tuple[str, ...], subsets: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The keys of scores: the runs of a task have the same, and need not each make their own."""
    return tuple(zip(measures, subsets, strict=True))


@dataclass(frozen=True)
class Graded:
    """A run's scores. ``n`` of ``of`` scored instances were answered, ``right`` of them right.

    ``analysed`` is None where nothing was analysed, or by a grader that did not yet. ``content``
    is the digest of the run as it was read, whatever the order of its lines. ``view`` is the run
    as measures see it, with which of its instances count, dropped ones too; None once stored.
    """

    scores: tuple[Score, ...]
    notices: tuple[Notice, ...]
    reliability: tuple[Bin, ...]
    n: int
    of: int
    right: int
    abstained: int
    analysed: Analysis | Unread | None = None
    content: str = ""
    view: tuple[Judged, BoolArray] | None = field(default=None, compare=False, repr=False)

    @property
    def analysis(self) -> Analysis | None:
        """What was analysed, which is read if it is not yet."""
        return self.analysed.read if isinstance(self.analysed, Unread) else self.analysed

    @property
    def brief(self) -> Analysis | None:
        """The same, of which no more is there for sure than its verdict and its curve."""
        return self.analysed.brief if isinstance(self.analysed, Unread) else self.analysed

    @cached_property
    def details(self) -> frozenset[str]:
        """The names of all details that its scores have."""
        return frozenset().union(*map(attrgetter("details"), self.scores))

    @cached_property
    def waits(self) -> bool:
        """Whether not all of its answers are judged yet."""
        return "not judged" in self.details and any(s.waiting for s in self.scores)

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str], Score]:
        """Its scores by measure and subset."""
        columns = (tuple(map(attrgetter(name), self.scores)) for name in ("measure", "subset"))
        return dict(zip(_keys(*columns), self.scores, strict=True))


@dataclass(frozen=True, slots=True)
class Rejected:
    """Everything that is wrong with an upload; what the team may still send, where that counts."""

    problems: tuple[Problem, ...]
    slots: Slots | None = None
