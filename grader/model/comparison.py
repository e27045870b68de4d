"""Runs against each other, as a board or a paper says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Run ``a`` less run ``b``, by their places in a list of runs.

    ``low`` and ``high`` are a 95% interval of the difference, ``p`` is adjusted for all pairs of
    the list; None with the reason where they are not sound.
    """

    a: int
    b: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    reason: str = ""

    @property
    def told_apart(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of a list of runs, and for each run the ranks it may have.

    The ranks hold together with 95%; None for a run that is left out. ``critical`` is the largest
    |t| that noise alone reaches in 95% of the resamples.
    """

    pairs: tuple[Pair, ...]
    ranks: tuple[tuple[int, int] | None, ...]
    resamples: int
    critical: float | None


@dataclass(frozen=True, slots=True)
class Versus:
    """The comparison of a board's ranked runs, in their order; or the reason why there is none."""

    slugs: tuple[str, ...]
    comparison: Comparison | None
    reason: str = ""

    def above(self, slug: str) -> Pair | None:
        """A run less the one a row above it; None for the first, and for one not compared."""
        place = self.slugs.index(slug) if slug in self.slugs else 0
        if self.comparison is None or not place:
            return None
        return next(p for p in self.comparison.pairs if (p.a, p.b) == (place - 1, place))

    def ranks(self, slug: str) -> tuple[int, int] | None:
        """The ranks a run may have; None for one that is not compared."""
        if self.comparison is None or slug not in self.slugs:
            return None
        return self.comparison.ranks[self.slugs.index(slug)]
