"""The runs of a board as its pictures name them, and their rewards."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.board import score
from grader.model import Entry, Row
from grader.site.pictures.names import both, clipped, isolated
from grader.site.sheets import Sheet, shown_grading

NAMED = 8  # runs whose labels are names, not only ranks
TEAM = 14  # narrow letters of a name
KEYS = ("rank", "team", "run", "address")


@dataclass(frozen=True, slots=True)
class Rewards:
    """A run's R_O, R_U and HMR, each in [0, 1]."""

    r_o: float
    r_u: float
    hmr: float


def drawn_rows(on: Sheet) -> Iterator[Row]:
    """Yield the rows that have numbers, ranked ones first, in the order of the board."""
    yield from (row for row in on.board.rows if shown_grading(row.entry))


def rewards(entry: Entry) -> Rewards | None:
    """What a run was rewarded for; None where neither its analysis nor its scores say it."""
    graded = shown_grading(entry)
    if graded is None:
        return None
    if graded.brief is not None:
        found = graded.brief.verdict
        return Rewards(found.r_o, found.r_u, found.hmr)
    scores = [score(entry, key) for key in ("r_o", "r_u", "hmr")]
    values = [s.value for s in scores if s is not None and s.value is not None]
    return Rewards(*values) if len(values) == 3 else None


def keys(row: Row) -> tuple[str, str, str, str]:
    """A run's cells under KEYS."""
    return str(row.rank or ""), row.entry.team, row.entry.name, row.entry.slug


def named(entry: Entry) -> str:
    """A run by its team and its name, within a sentence."""
    return f"{isolated(entry.team)} · {isolated(entry.name)}"


def said(row: Row) -> str:
    """A run in a sentence, with its rank."""
    name = named(row.entry)
    return f"{row.rank}. {name}" if row.rank else f"{name}, not ranked"


def called(row: Row) -> str:
    """A run beside its line, no longer than there is room."""
    return both(row.entry.team, row.entry.name, 2 * TEAM + 3)


def labels(row: Row, place: int) -> tuple[str, ...]:
    """The labels of a run, the best first; ``place`` counts the runs before it."""
    if row.rank is None:
        return ()
    rank = str(row.rank)
    return (f"{rank} {clipped(row.entry.team, TEAM)}", rank) if place < NAMED else (rank,)
