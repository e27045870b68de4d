"""A board as printed: its rows with text, strips and marks, and what stands above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from grader.model import Measure, Row, Score
from grader.signature import shared, signature
from grader.site.addresses import Part
from grader.site.analyses import FRONT, front
from grader.site.newest import latest
from grader.site.sheets import Sheet, measures, shown_grading, tally
from grader.site.sparks import Spark, spark
from grader.site.strips import Column, column
from grader.site.tables import Said, said_of
from grader.site.versus import Against, Compared, versus

LEAVES_OUT, BY_CONVENTION = "leave-out", "convention"


class Place(NamedTuple):  # long boards have a great many
    """What a row has beside its cells: whose it is; scored on ``n`` of ``of`` instances.

    ``flags`` are the run's own and what the row shows, each with its reason; ``ahead``: it is on
    the accuracy–HMR front.
    """

    row: Row
    n: int | None
    of: int
    flags: tuple[tuple[str, str], ...]
    against: Against | None = None
    spark: Spark | None = None
    ahead: bool = False

    @property
    def fewer(self) -> bool:
        return self.n is not None and self.n < self.of

    @property
    def scored(self) -> bool:
        return shown_grading(self.row.entry) is not None

    @property
    def late(self) -> bool:
        """Whether it has no rank and came after the close."""
        flags = self.row.entry.flags
        return self.row.rank is None and "late" in flags and "withdrawn" not in flags


@dataclass(frozen=True, slots=True)
class Table:
    """A board as printed: ``columns`` have a cell for each of ``places``, ranked runs first.

    ``signature`` is what all ranked runs' primary scores depend on, beside the run itself; empty
    if there is none. ``at``: when the last came about of what it shows.
    """

    measures: tuple[Measure, ...]
    columns: tuple[Column, ...]
    places: tuple[Place, ...]
    rule: str
    said: tuple[Said, ...]
    against: Compared
    front: tuple[Row, ...]
    signature: str
    at: datetime | None

    @property
    def late(self) -> tuple[Place, ...]:
        """The unranked runs that came after the close, which stand last."""
        return tuple(place for place in self.places if place.late)

    @property
    def comparable(self) -> bool:
        """Whether there are runs to be compared with each other."""
        return sum(place.scored for place in self.places) > 1

    @property
    def sparks(self) -> bool:
        """Whether any run has a reliability diagram to show."""
        return any(place.spark and not place.late for place in self.places)


def board(on: Sheet, part: Part | None = None) -> Table:
    """The board of a task, or of one of its subsets."""
    ranks, chosen = on.ranks(part), measures(on.results, part)
    digits, many = on.results.task.ranking.digits, len(ranks.ranked)
    keys = (*(m.key for m in chosen), tally(on.results), *FRONT)
    *found, counted, accuracies, rewards = on.columns(part, keys)
    columns = tuple(column(m, one, digits, many) for m, one in zip(chosen, found, strict=True))
    against, ahead = versus(on, part, counted), front(on, part, accuracies, rewards)
    each = zip(chosen, columns, strict=True)
    return Table(
        chosen,
        columns,
        tuple(_places(on, part, counted, columns[0], (against, ahead))),
        ranks.rule,
        said_of((m, one.cells) for m, one in each),
        against,
        ahead,
        _signature(ranks.ranked, found[0]),
        latest([on]),
    )


def _places(
    on: Sheet,
    part: Part | None,
    counted: Sequence[Score | None],
    primary: Column,
    beside: tuple[Compared, Sequence[Row]],
) -> Iterator[Place]:
    """Yield what the rows of a board have beside their cells.

    counted  the scores in which every instance counts once
    beside   the comparison of its ranked rows, and those that are on the front
    """
    against = {row.slug: row for row in beside[0].rows}
    ahead = {row.entry.slug for row in beside[1]}
    of = part.n if part else on.results.gold.scored
    each = zip(on.ranks(part).rows, counted, primary.cells.mark, primary.cells.note, strict=True)
    for row, score, mark, note in each:
        slug, n = row.entry.slug, score.n if score else None
        yield Place(
            row,
            n,
            of,
            tuple(_flags(row, note if mark == "†" else "", n, of)),
            against.get(slug),
            None if part else _spark(row, on.results.task.ranking.digits),
            slug in ahead,
        )


def _spark(row: Row, digits: int) -> Spark | None:
    graded = shown_grading(row.entry)
    return spark(graded.reliability, digits) if graded else None


def _flags(row: Row, convention: str, n: int | None, of: int) -> Iterator[tuple[str, str]]:
    """Yield a run's flags, and what else is to be known of its row, each with its reason."""
    yield from sorted((f, why) for f, why in row.entry.flags.items() if f != "withdrawn")
    if n is not None and n < of:
        yield LEAVES_OUT, f"scored on {n:,} of {of:,} instances"
    if convention:
        yield BY_CONVENTION, convention


def _signature(ranked: Sequence[Row], primary: Sequence[Score | None]) -> str:
    """What the primary scores of the ranked runs depend on; empty if none is ranked."""
    first = primary[0] if ranked else None
    return signature(first, shared(row.entry.settings for row in ranked)) if first else ""
