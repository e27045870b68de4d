"""A task as its pages need it: places, scores by key, and addresses of subsets."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.board import lead, rank
from grader.measures import MEASURES, find
from grader.model import Board, Entry, Graded, Measure, Results, Row, Score
from grader.site.addresses import Part, parts


@dataclass(frozen=True, slots=True)
class Sheet:
    """A task's results, ranked once: ``boards`` by subset, ``all`` among them.

    ``scores`` maps a run's slug to its scores by key, subset.
    """

    results: Results
    boards: Mapping[str, Board]
    parts: tuple[Part, ...]
    scores: Mapping[str, Mapping[tuple[str, str], Score]]

    @property
    def board(self) -> Board:
        """The board of the whole task."""
        return self.boards["all"]

    def ranks(self, part: Part | None) -> Board:
        """The board of a subset, or of the whole task."""
        return self.boards[part.key if part else "all"]

    @property
    def slug(self) -> str:
        return self.results.task.slug

    @property
    def taking_part(self) -> tuple[Entry, ...]:
        """The runs that were not withdrawn."""
        return tuple(e for e in self.results.entries if "withdrawn" not in e.flags)

    @property
    def teams(self) -> int:
        return len({e.team for e in self.taking_part})

    @property
    def dimensions(self) -> tuple[tuple[str, tuple[Part, ...]], ...]:
        """The subsets by dimension, in the order of the gold."""
        names = dict.fromkeys(part.dimension for part in self.parts)
        return tuple((n, tuple(p for p in self.parts if p.dimension == n)) for n in names)

    @property
    def leaders(self) -> tuple[Row, ...]:
        """The rows of rank 1: none, one, or several that share it."""
        return tuple(row for row in self.board.ranked if row.rank == 1)


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many instances were dropped for a reason; ``post_hoc``: after scores were seen."""

    n: int
    reason: str
    post_hoc: bool


def sheet(results: Results) -> Sheet:
    cuts = parts(results.gold.dimensions)
    return Sheet(
        results,
        {subset: rank(results, subset) for subset in ("all", *(part.key for part in cuts))},
        cuts,
        {e.slug: _scores(shown_grading(e)) for e in results.entries},
    )


def shown_grading(entry: Entry) -> Graded | None:
    """A run's grading, if pages show it: a withdrawn run keeps its page, without numbers."""
    return None if "withdrawn" in entry.flags else entry.graded


def _scores(graded: Graded | None) -> Mapping[tuple[str, str], Score]:
    return {(s.measure, s.subset): s for s in graded.scores} if graded else {}


def place(on: Sheet, entry: Entry) -> Row:
    """A run's row on the overall board."""
    return next(row for row in on.board.rows if row.entry.slug == entry.slug)


def sharing(on: Sheet, row: Row) -> int:
    """How many other runs share a row's rank."""
    if row.rank is None:
        return 0
    return sum(other.rank == row.rank for other in on.board.ranked) - 1


def measures(results: Results, part: Part | None = None) -> tuple[Measure, ...]:
    """The measures of a board, its primary first; a subset has no means over subsets."""
    found = [find(key) for key in results.task.keys]
    if part is not None:
        found = [lead(results, part.key), *(m for m in found if not m.dimension)]
    return tuple({m.key: m for m in found}.values())


def family(measure: Measure) -> str:
    """The key of a measure's entry on the measures page.

    >>> family(find("macro(ece@10,exam)")), family(find("hmr"))
    ('ece', 'hmr')
    """
    return re.split("[@,]", measure.key.removeprefix("macro("))[0]


def users(sheets: Sequence[Sheet], key: str) -> tuple[tuple[Sheet, tuple[str, ...]], ...]:
    """The tasks that use a family of measures, each with the keys it uses."""
    found = ((on, [m.key for m in measures(on.results) if family(m) == key]) for on in sheets)
    return tuple((on, tuple(keys)) for on, keys in found if keys)


def tally(results: Results) -> str:
    """The measure in which every instance of a task counts once."""
    return "coverage" if results.task.kind == "interval" else "accuracy"


def part_n(on: Sheet, entry: Entry, part: Part | None) -> int:
    """The instances that a run was scored on, in all or in a subset."""
    found = on.scores[entry.slug].get((tally(on.results), part.key if part else "all"))
    return found.n if found else 0


def latest(sheets: Sequence[Sheet]) -> datetime | None:
    """The last instant at which what the pages show came about; not when they were made."""
    found = [on.results.gold.registered for on in sheets]
    found += [entry.received for on in sheets for entry in on.results.entries]
    found += [drop.when for on in sheets for drop in on.results.gold.drops]
    return max(found, default=None)


def families() -> tuple[Measure, ...]:
    return tuple(MEASURES.values())


def dropped(results: Results) -> tuple[Dropped, ...]:
    """The dropped instances, counted by reason, in the order in which the reasons came up."""
    reasons = Counter((d.reason, d.post_hoc) for d in results.gold.drops)
    return tuple(Dropped(n, reason, post_hoc) for (reason, post_hoc), n in reasons.items())
