"""The comparison of a board's rows, as it is printed."""

from dataclasses import dataclass

from grader.board import shown
from grader.model import Comparison, Pair, Row
from grader.site.addresses import Part
from grader.site.sheets import Sheet, part_n

_APART = "not compared"


@dataclass(frozen=True, slots=True)
class Against:
    """A ranked run against the row above it, in words and shown digits."""

    slug: str
    team: str
    name: str
    rank: int | None
    ranks: str
    difference: str
    interval: str
    p: str
    verdict: str

    @property
    def sign(self) -> str:
        """Whether it is told from the row above; empty for the first row, and if nobody knows."""
        if not self.verdict or self.verdict.startswith(_APART):
            return ""
        return "≠" if self.verdict == "yes" else "≈"

    @property
    def said(self) -> str:
        """The row against the one above, in a sentence; empty for the first row."""
        if not self.verdict:
            return ""
        if self.verdict.startswith(_APART):
            return f"{_APART} with the row above{self.verdict.removeprefix(_APART)}"
        told = "is told" if self.verdict == "yes" else "cannot be told"
        numbers = f"{self.difference}, 95% interval {self.interval}, adjusted p {self.p}"
        return f"{told} from the row above: less it {numbers}; may rank {self.ranks}"


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a board: its rows, on how many instances; or the reason for none.

    ``fewer``: runs left instances out, so the differences are not those of the values shown.
    ``bound``: of so many runs only neighbours are compared, by a bound over all pairs.
    """

    rows: tuple[Against, ...] = ()
    n: int = 0
    fewer: bool = False
    bound: bool = False
    reason: str = ""

    @property
    def unknown(self) -> bool:
        """Whether a row was not compared with the one above it."""
        return any(row.verdict and not row.sign for row in self.rows)


def versus(on: Sheet, part: Part | None = None) -> Compared:
    """Each ranked row of a board against the one above; nothing where nobody asked."""
    found = on.results.versus.get(part.key if part else "all")
    if found is None or found.comparison is None:
        return Compared(reason=found.reason if found else "")
    ranked, digits = on.ranks(part).ranked, on.results.task.ranking.digits
    places = {slug: place for place, slug in enumerate(found.slugs)}
    made = found.comparison
    rows = tuple(_against(made, row, places.get(row.entry.slug), digits) for row in ranked)
    most = max((part_n(on, row.entry, part) for row in ranked), default=0)
    return Compared(rows, found.n, found.n < most, made.adjacent)


def _against(found: Comparison, row: Row, place: int | None, digits: int) -> Against:
    """A ranked row by its place among those that were compared, if it was."""
    ranks = None if place is None else found.ranks[place]
    pair = found.pair(place - 1, place) if place else None
    said = "–" if ranks is None else "–".join(map(str, dict.fromkeys(ranks)))
    cells = ("", "", "", "") if pair is None else _cells(found, pair, digits)
    return Against(row.entry.slug, row.entry.team, row.entry.name, row.rank, said, *cells)


def printed_p(p: float, digits: int) -> str:
    """A p as it is shown: never as 0.

    >>> printed_p(0.0123, 3), printed_p(0.0123, 1)
    ('0.012', '<0.1')
    """
    text = f"{p:.{digits}f}"
    return text if float(text) else f"<{10**-digits:.{digits}f}"


def _cells(found: Comparison, pair: Pair, digits: int) -> tuple[str, str, str, str]:
    """A pair is the row above less this one; a reader wants this one less the row above."""
    difference = "–" if pair.difference is None else shown(-pair.difference, digits)
    p = "–" if pair.p is None else printed_p(pair.p, min(3, digits))
    if pair.low is None or pair.high is None:
        above, mine = (found.reasons[i] for i in (pair.a, pair.b))
        why = mine or (f"the row above: {above}" if above else pair.reason)
        return difference, "–", p, f"{_APART}: {why}" if pair.p is None else f"no: {why}"
    interval = f"{shown(-pair.high, digits)} to {shown(-pair.low, digits)}"
    return difference, interval, p, "yes" if pair.told_apart else "no"
