"""The comparison of a board's rows, as it is printed."""

from dataclasses import dataclass

from grader.board import shown
from grader.model import Pair, Row
from grader.site.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Against:
    """A ranked run against the row above it, in words and shown digits."""

    team: str
    name: str
    rank: int | None
    ranks: str
    difference: str
    interval: str
    p: str
    verdict: str

    @property
    def said(self) -> str:
        """The row against the one above, in a sentence; empty for the first row."""
        if not self.verdict:
            return ""
        told = "is told" if self.verdict == "yes" else "cannot be told"
        numbers = f"{self.difference}, 95% interval {self.interval}, adjusted p {self.p}"
        return f"{told} from the row above: less it {numbers}; may rank {self.ranks}"


def versus(on: Sheet) -> tuple[Against, ...]:
    """Each ranked row against the one above; empty where the rows were not compared."""
    found = on.results.versus
    if found is None or found.comparison is None:
        return ()
    return tuple(_against(on, row) for row in on.board.ranked)


def why_not(on: Sheet) -> str:
    """Why the rows of a board were not compared; empty if they were, or nobody asked."""
    found = on.results.versus
    return found.reason if found is not None and found.comparison is None else ""


def _against(on: Sheet, row: Row) -> Against:
    found = on.results.versus
    ranks = found.ranks(row.entry.slug) if found else None
    pair = found.above(row.entry.slug) if found else None
    digits = on.results.task.ranking.digits
    place = "–" if ranks is None else "–".join(dict.fromkeys(map(str, ranks)))
    cells = ("", "", "", "") if pair is None else _cells(pair, digits)
    return Against(row.entry.team, row.entry.name, row.rank, place, *cells)


def _cells(pair: Pair, digits: int) -> tuple[str, str, str, str]:
    """A pair is the row above less this one; a reader wants this one less the row above."""
    difference = shown(-pair.difference, digits)
    if pair.low is None or pair.high is None:
        return difference, "–", "–" if pair.p is None else f"{pair.p:.3f}", f"no: {pair.reason}"
    interval = f"{shown(-pair.high, digits)} to {shown(-pair.low, digits)}"
    p = "–" if pair.p is None else f"{pair.p:.3f}"
    return difference, interval, p, "yes" if pair.told_apart else "no"
