"""A run's reliability diagram in a row of a board."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Bin

WIDE, TALL = 60, 20


@dataclass(frozen=True, slots=True)
class Spark:
    """A reliability diagram of WIDE by TALL: a point for each bin whose accuracy is shown.

    ``below`` of the ``bins`` points lie below the diagonal.
    """

    line: str
    points: str
    bins: int
    below: int
    about: str

    @property
    def share(self) -> int:
        """The percentage of points below the diagonal, to sort by."""
        return round(100 * self.below / self.bins)


def spark(bins: Sequence[Bin], digits: int) -> Spark | None:
    """The diagram of a run in a row of a board; None if there is no point to show.

    >>> made = spark([Bin(4, 0.5, 0.25), Bin(2, 0.8, None), Bin(9, 0.9, 0.95)], 2)
    >>> made and (made.line, made.points, made.below, made.about)
    ('M30 15L54 1', 'M30 15h0M54 1h0', 1, '0.25 at 0.50, 0.95 at 0.90')
    """
    found = [(b.confidence, b.accuracy) for b in bins if b.n and b.accuracy is not None]
    if not found:
        return None
    places = [f"{WIDE * sure:.0f} {TALL * (1 - right):.0f}" for sure, right in found]
    return Spark(
        "M" + "L".join(places),
        "".join(f"M{place}h0" for place in places),
        len(found),
        sum(right < sure for sure, right in found),
        ", ".join(f"{right:.{digits}f} at {sure:.{digits}f}" for sure, right in found),
    )
