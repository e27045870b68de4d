"""The comparison of a board's rows, as it is printed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.board import shown_each
from grader.model import Comparison, Pair
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
    at = [places.get(row.entry.slug) for row in ranked]
    pairs = [found.comparison.pair(place - 1, place) if place else None for place in at]
    ranks = [None if place is None else found.comparison.ranks[place] for place in at]
    each = zip(ranked, map(_span, ranks), _cells(found.comparison, pairs, digits), strict=True)
    rows = tuple(
        Against(row.entry.slug, row.entry.team, row.entry.name, row.rank, span, *cells)
        for row, span, cells in each
    )
    most = max((part_n(on, row.entry, part) for row in ranked), default=0)
    return Compared(rows, found.n, found.n < most, found.comparison.adjacent)


def _span(ranks: tuple[int, int] | None) -> str:
    return "–" if ranks is None else "–".join(map(str, dict.fromkeys(ranks)))


def printed_p(p: float, digits: int) -> str:
    """A p as it is shown: never as 0.

    >>> printed_p(0.0123, 3), printed_p(0.0123, 1)
    ('0.012', '<0.1')
    """
    text = f"{p:.{digits}f}"
    return text if float(text) else f"<{10**-digits:.{digits}f}"


def _cells(
    found: Comparison, pairs: Sequence[Pair | None], digits: int
) -> Iterator[tuple[str, str, str, str]]:
    """Yield difference, interval, p and verdict of each pair.

    A pair is the row above less this one; a reader wants this one less the row above.
    """
    ends = [(pair.difference, pair.high, pair.low) if pair else (None,) * 3 for pair in pairs]
    columns = zip(*ends, strict=True) if ends else ((), (), ())
    turned = ([None if x is None else -x for x in column] for column in columns)
    differences, lows, highs = (shown_each(column, digits) for column in turned)
    for pair, difference, low, high in zip(pairs, differences, lows, highs, strict=True):
        if pair is None:
            yield "", "", "", ""
            continue
        p = "–" if pair.p is None else printed_p(pair.p, min(3, digits))
        if low and high:
            yield difference or "–", f"{low} to {high}", p, "yes" if pair.told_apart else "no"
            continue
        above, mine = (found.reasons[i] for i in (pair.a, pair.b))
        why = mine or (f"the row above: {above}" if above else pair.reason)
        yield difference or "–", "–", p, f"{_APART}: {why}" if pair.p is None else f"no: {why}"
