"""Runs against each other, as a board or a paper says it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.model.analysis import Reference


class Pair(NamedTuple):  # there are very many
    """Run ``a`` less run ``b``, by their places in a list of runs.

    ``low`` and ``high`` are a 95% interval of the difference, ``p`` is adjusted for all pairs of
    the list; None with the reason where they are not sound. ``left_out`` resamples of an
    interval of its own were undefined. ``decided``: whether the two were told apart before the
    interval was rounded; None: it is as it was found.
    """

    a: int
    b: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    reason: str = ""
    left_out: int = 0
    decided: bool | None = None

    @property
    def told_apart(self) -> bool:
        """Whether the interval, as it was found, excludes 0."""
        if self.decided is not None:
            return self.decided
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of a list of runs, in lexicographic order, and for each run the ranks it may have.

    The ranks hold together with 95%; None for a run that is left out, ``reasons`` say why
    (empty for one that is not). ``values`` are the runs' own, None where undefined. ``critical``
    is the largest |t| that noise alone reaches in 95% of the resamples, of which ``left_out``
    were undefined.

    Of many runs there are the pairs of neighbours alone (``adjacent``), by a bound over all
    pairs: ``critical`` is what no sum over the root of its squares goes beyond in 95% of cases.
    """

    pairs: tuple[Pair, ...]
    ranks: tuple[tuple[int, int] | None, ...]
    resamples: int
    critical: float | None
    values: tuple[float | None, ...] = ()
    reasons: tuple[str, ...] = ()
    left_out: int = 0
    adjacent: bool = False

    def pair(self, a: int, b: int) -> Pair:
        """A run less another that stands after it in the list; if ``adjacent``, the next one."""
        if self.adjacent:
            if b != a + 1:
                raise ValueError("of so many runs only neighbours are compared")
            return self.pairs[a]
        return self.pairs[a * (2 * len(self.ranks) - a - 1) // 2 + b - a - 1]

    def why(self, pair: Pair, names: Sequence[str]) -> str:
        """Why two runs are not compared, and which of them is the reason; empty if they are."""
        for run in (pair.a, pair.b):
            if self.reasons and self.reasons[run]:
                return f"{names[run]}: {self.reasons[run]}"
        return pair.reason


@dataclass(frozen=True, slots=True)
class Versus:
    """The comparison of a board's ranked runs, in their order; or the reason why there is none.

    It is a family of its own: what it says holds together for this board, not for several.
    ``n`` instances were scored for all that are compared.
    """

    slugs: tuple[str, ...]
    comparison: Comparison | None
    reason: str = ""
    n: int = 0

    def above(self, slug: str) -> Pair | None:
        """A run less the one a row above it; None for the first, and for one not compared."""
        place = self.slugs.index(slug) if slug in self.slugs else 0
        if self.comparison is None or not place:
            return None
        return self.comparison.pair(place - 1, place)

    def apart(self, slug: str) -> str:
        """Why a run is not compared; empty if it is."""
        if self.comparison is None or slug not in self.slugs:
            return ""
        return self.comparison.reasons[self.slugs.index(slug)]


@dataclass(frozen=True, slots=True)
class Beside:
    """Reference rows of a subset's board: from the ``n`` answers there of its best-ranked run.

    ``smallest`` is the least number of answers that the threshold row speaks of: those that it
    is sure of, or the rest.
    """

    slug: str
    n: int
    smallest: int
    references: tuple[Reference, ...]
