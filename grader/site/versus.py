"""The comparison of a board's rows, as it is printed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.board import shown, shown_each
from grader.board.values import shown_columns
from grader.model import Comparison, Pair, Row, Score, Versus
from grader.site.addresses import Part
from grader.site.sheets import Sheet

_APART = "not compared"


class Against(NamedTuple):  # long boards have a great many
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


def versus(on: Sheet, part: Part | None, counted: Sequence[Score | None]) -> Compared:
    """Each ranked row of a board against the one above; nothing where nobody asked.

    counted  the scores of rows in which every instance counts once
    """
    subset = part.key if part else "all"
    found = on.results.versus.get(subset)
    if found is None or found.comparison is None:
        return Compared(reason=found.reason if found else "")
    ranked = on.ranks(part).ranked
    most = max((one.n for one in counted[: len(ranked)] if one), default=0)
    rows = tuple(_against(found, found.comparison, ranked, on.results.task.ranking.digits))
    return Compared(rows, found.n, found.n < most, found.comparison.adjacent)


def ranks_of(on: Sheet) -> Mapping[str, str]:
    """The ranks that each run of a whole board may have, by its slug, as far as that is known."""
    found = on.results.versus.get("all")
    if found is None or found.comparison is None:
        return {}
    each = zip(found.slugs, found.comparison.ranks, strict=True)
    return {slug: _ranks(known) for slug, known in each if known}


def may_rank(on: Sheet) -> Mapping[str, str]:
    """The same of ranked runs that may have others than their own."""
    known = ranks_of(on)
    own = {row.entry.slug: str(row.rank) for row in on.board.ranked}
    return {slug: known[slug] for slug, rank in own.items() if known.get(slug, rank) != rank}


def _ranks(ranks: tuple[int, int] | None) -> str:
    return "–" if ranks is None else "–".join(map(str, dict.fromkeys(ranks)))


def _against(
    found: Versus, made: Comparison, ranked: Sequence[Row], digits: int
) -> Iterator[Against]:
    """Yield each ranked row, by its place among those that were compared, if it was."""
    known = {slug: place for place, slug in enumerate(found.slugs)}
    places = [known.get(row.entry.slug) for row in ranked]
    pairs = [made.pair(place - 1, place) for place in places if place]
    # A pair is the row above less this one; a reader wants this one less the row above.
    told = zip(pairs, *printed_pairs(pairs, [True] * len(pairs), digits), strict=True)
    for row, place in zip(ranked, places, strict=True):
        said = "–" if place is None else _ranks(made.ranks[place])
        pair, *numbers = next(told) if place else (None, "", "", "")
        cells = (*numbers, _verdict(made, pair) if pair else "")
        yield Against(row.entry.slug, row.entry.team, row.entry.name, row.rank, said, *cells)


def printed_pairs(
    pairs: Sequence[Pair], turned: Sequence[bool], digits: int
) -> tuple[list[str], list[str], list[str]]:
    """The differences of pairs, their intervals, and their p, as printed; – where there is none.

    turned  which of them are told as the second run less the first
    """
    if not pairs:
        return [], [], []
    _, _, found, lows, highs, ps, *_ = zip(*pairs, strict=True)
    each = zip(found, turned, strict=True)
    differences = [-x if back and x is not None else x for x, back in each]
    ends = [
        (None, None) if low is None or high is None else (-high, -low) if back else (low, high)
        for low, high, back in zip(lows, highs, turned, strict=True)
    ]
    columns = (differences, *zip(*ends, strict=True))
    (told, least, most), _ = shown_columns(columns, digits)
    return (
        [text or "–" for text in told],
        [f"{low} to {high}" if low else "–" for low, high in zip(least, most, strict=True)],
        [text or "–" for text in printed_ps(ps, min(3, digits))],
    )


def printed_ps(each: Sequence[float | None], digits: int) -> list[str]:
    """Each p as it is shown: never as 0; empty where there is none.

    >>> printed_ps([0.0123, None, 0.0004], 3), printed_ps([0.0123], 1)
    (['0.012', '', '<0.001'], ['<0.1'])
    """
    none, least = shown(0.0, digits), f"<{shown(10**-digits, digits)}"
    return [least if text == none else text for text in shown_each(each, digits)]


def _verdict(found: Comparison, pair: Pair) -> str:
    if pair.low is not None and pair.high is not None:
        return "yes" if pair.told_apart else "no"
    above, mine = (found.reasons[i] for i in (pair.a, pair.b))
    why = mine or (f"the row above: {above}" if above else pair.reason)
    return f"{_APART}: {why}" if pair.p is None else f"no: {why}"
