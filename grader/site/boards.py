"""A board as printed: its rows with text, strips and marks, and what stands above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.model import Measure, Row, Score
from grader.signature import shared, signature
from grader.site.addresses import Part
from grader.site.analyses import front
from grader.site.cells import Cell
from grader.site.newest import latest
from grader.site.sheets import Sheet, measures, shown_grading, tally
from grader.site.sparks import Spark, spark
from grader.site.strips import Axis, Column, Strip, column
from grader.site.tables import Said, said_of
from grader.site.versus import Against, Compared, versus

LEAVES_OUT, BY_CONVENTION = "leave-out", "convention"


@dataclass(frozen=True, slots=True)
class Place:
    """A run's row; scored on ``n`` of ``of`` instances.

    ``strips`` stand below its ``cells``, None where there is no value. ``flags`` are its own
    and what the row shows, each with its reason; ``ahead``: it is on the accuracy–HMR front.
    """

    row: Row
    cells: tuple[Cell, ...]
    strips: tuple[Strip | None, ...]
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


@dataclass(frozen=True, slots=True)
class Table:
    """A board as printed; ``late`` are the unranked runs that came after the close.

    ``axes`` are those of the strips below each measure, None where no run has a value.
    ``signature`` is what all ranked runs' primary scores depend on, beside the run itself; empty
    if there is none. ``at``: when the last came about of what it shows.
    """

    measures: tuple[Measure, ...]
    axes: tuple[Axis | None, ...]
    ranked: tuple[Place, ...]
    unranked: tuple[Place, ...]
    late: tuple[Place, ...]
    rule: str
    said: tuple[Said, ...]
    against: Compared
    front: tuple[Row, ...]
    signature: str
    at: datetime | None

    @property
    def comparable(self) -> bool:
        """Whether there are runs to be compared with each other."""
        parts = (self.ranked, self.unranked, self.late)
        return sum(line.scored for part in parts for line in part) > 1

    @property
    def sparks(self) -> bool:
        """Whether any run has a reliability diagram to show."""
        return any(line.spark for part in (self.ranked, self.unranked) for line in part)


def board(on: Sheet, part: Part | None = None) -> Table:
    """The board of a task, or of one of its subsets."""
    ranks, chosen = on.ranks(part), measures(on.results, part)
    scores = [on.scores[row.entry.slug] for row in ranks.rows]
    subset, digits = part.key if part else "all", on.results.task.ranking.digits
    # Run by run: what is read one after the other lies near in memory.
    found = zip(*([of.get((m.key, subset)) for m in chosen] for of in scores), strict=True)
    each = zip(chosen, tuple(found) or [()] * len(chosen), strict=True)
    columns = tuple(column(m, mine, digits, len(ranks.ranked)) for m, mine in each)
    against, ahead = versus(on, part), front(on, part)
    places = tuple(_places(on, part, columns, (against, ahead)))
    apart = places[len(ranks.ranked) :]
    return Table(
        chosen,
        tuple(one.axis for one in columns),
        places[: len(ranks.ranked)],
        tuple(place for place in apart if not _is_late(place.row)),
        tuple(place for place in apart if _is_late(place.row)),
        ranks.rule,
        said_of((m, one.cells) for m, one in zip(chosen, columns, strict=True)),
        against,
        ahead,
        _signature(ranks.ranked, [of.get((chosen[0].key, subset)) for of in scores]),
        latest([on]),
    )


def _places(
    on: Sheet,
    part: Part | None,
    columns: Sequence[Column],
    beside: tuple[Compared, Sequence[Row]],
) -> Iterator[Place]:
    """Yield the rows of a board.

    beside  the comparison of its ranked rows, and those that are on the front
    """
    against = {row.slug: row for row in beside[0].rows}
    ahead = {row.entry.slug for row in beside[1]}
    every = (tally(on.results), part.key if part else "all")
    of = part.n if part else on.results.gold.scored
    cells = zip(*(one.cells for one in columns), strict=True)
    strips = zip(*(one.strips for one in columns), strict=True)
    for row, printed, drawn in zip(on.ranks(part).rows, cells, strips, strict=True):
        slug = row.entry.slug
        counted = on.scores[slug].get(every)
        n = counted.n if counted else None
        yield Place(
            row,
            printed,
            drawn,
            n,
            of,
            tuple(_flags(row, printed[0], n, of)),
            against.get(slug),
            None if part else _spark(row, on.results.task.ranking.digits),
            slug in ahead,
        )


def _spark(row: Row, digits: int) -> Spark | None:
    graded = shown_grading(row.entry)
    return spark(graded.reliability, digits) if graded else None


def _flags(row: Row, primary: Cell, n: int | None, of: int) -> Iterator[tuple[str, str]]:
    """Yield a run's flags, and what else is to be known of its row, each with its reason."""
    yield from sorted((f, why) for f, why in row.entry.flags.items() if f != "withdrawn")
    if n is not None and n < of:
        yield LEAVES_OUT, f"scored on {n:,} of {of:,} instances"
    if primary.mark == "†":
        yield BY_CONVENTION, primary.note


def _is_late(row: Row) -> bool:
    return "late" in row.entry.flags and "withdrawn" not in row.entry.flags


def _signature(ranked: Sequence[Row], primary: Sequence[Score | None]) -> str:
    """What the primary scores of the ranked runs depend on; empty if none is ranked."""
    first = primary[0] if ranked else None
    return signature(first, shared(row.entry.settings for row in ranked)) if first else ""
