"""A task as its pages need it: places, scores by key, and addresses of subsets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from grader.board import boards, current, lead, phased
from grader.measures import find
from grader.model import (
    Board,
    Entry,
    Graded,
    Measure,
    Phase,
    Results,
    Row,
    Score,
    Snapshot,
    Task,
)
from grader.site.addresses import BEFORE, Part, parts, phases


@dataclass(frozen=True, slots=True)
class Sheet:
    """A task's results, ranked once: ``boards`` by subset, ``all`` among them.

    ``scores`` maps a run's slug to its scores by key, subset; ``valued`` are the keys of the
    subsets on which some run has a value. ``address`` is the slug of its phase; empty in a task
    without phases.
    """

    results: Results
    boards: Mapping[str, Board]
    parts: tuple[Part, ...]
    scores: Mapping[str, Mapping[tuple[str, str], Score]]
    address: str = ""
    valued: frozenset[str] = frozenset()

    @property
    def phase(self) -> Phase | None:
        return self.results.phase

    @property
    def name(self) -> str:
        """What its phase is called; empty in a task without phases."""
        if self.phase is None:
            return "before there were phases" if self.address else ""
        return self.phase.name

    @property
    def title(self) -> str:
        """The same as a title."""
        return self.name if self.phase or not self.address else "Before there were phases"

    @property
    def board(self) -> Board:
        """The board of the whole task."""
        return self.boards["all"]

    def ranks(self, part: Part | None) -> Board:
        """The board of a subset, or of the whole task."""
        return self.boards[part.key if part else "all"]

    def columns(self, part: Part | None, keys: Iterable[str]) -> list[tuple[Score | None, ...]]:
        """The scores of a board's rows by each of some measures."""
        subset = part.key if part else "all"
        return self.found(self.ranks(part).rows, [(key, subset) for key in keys])

    def found(
        self, rows: Iterable[Row], places: Sequence[tuple[str, str]]
    ) -> list[tuple[Score | None, ...]]:
        """The scores of rows by each of some keys, subsets.

        Run by run: what is read one after the other lies near in memory.
        """
        each = [list(map(self.scores[row.entry.slug].get, places)) for row in rows]
        return list(zip(*each, strict=True)) or [()] * len(places)

    @property
    def slug(self) -> str:
        return self.results.task.slug

    @property
    def taking_part(self) -> tuple[Entry, ...]:
        """The runs that were not withdrawn."""
        return tuple(filter(has_page, self.results.entries))

    @property
    def runs(self) -> int:
        """How many runs are in, seen or not; withdrawn ones are none."""
        unseen = self.results.unseen
        return len(self.taking_part) if unseen is None else unseen

    @property
    def teams(self) -> int:
        return len({e.team for e in self.taking_part})

    @property
    def dimensions(self) -> tuple[tuple[str, tuple[Part, ...]], ...]:
        """The subsets by dimension, in the order of the gold."""
        names = dict.fromkeys(part.dimension for part in self.parts)
        return tuple((n, tuple(p for p in self.parts if p.dimension == n)) for n in names)

    @property
    def shown_parts(self) -> tuple[Part, ...]:
        """The subsets that have a board: those on which some run has a value."""
        return tuple(part for part in self.parts if part.key in self.valued)

    @property
    def leaders(self) -> tuple[Row, ...]:
        """The rows of rank 1: none, one, or several that share it."""
        return tuple(row for row in self.board.ranked if row.rank == 1)


@dataclass(frozen=True, slots=True)
class Contest:
    """A task's boards: one, or one for each phase. ``now`` is the one that its page begins with.

    ``scored`` counts the instances of the whole gold; ``at`` is the instant that is shown.
    """

    task: Task
    sheets: tuple[Sheet, ...]
    now: Sheet
    scored: int
    at: datetime

    @property
    def slug(self) -> str:
        return self.task.slug

    def home(self, on: Sheet, part: Part | None = None) -> str:
        """The address within the task of one of its boards, or of that of a subset there."""
        if part is None:
            return "index.html" if on is self.now else f"phase/{on.address}.html"
        return f"{'' if on is self.now else f'phase/{on.address}/'}subset/{part.slug}.html"

    def state(self, phase: Phase) -> Literal["to come", "open", "closed"]:
        """Whether a phase takes runs at the instant that is shown."""
        if self.at < phase.opens:
            return "to come"
        return "open" if self.at < phase.closes else "closed"

    @property
    def coming(self) -> Phase | None:
        """The first phase that is to come."""
        return next((p for p in self.task.phases if self.state(p) == "to come"), None)

    @property
    def shown(self) -> Sheet:
        """The newest board whose scores are seen, up to ``now``; if there is none, that."""
        last = next(i for i, on in enumerate(self.sheets) if on is self.now)
        before = [on for on in self.sheets if on.address and not on.phase]
        past = [*before, *self.sheets[: last + 1]]
        seen = (on for on in reversed(past) if on.results.unseen is None)
        return next(seen, self.now)

    @property
    def pages(self) -> frozenset[str]:
        """The slugs of the runs that have a page."""
        return frozenset(entry.slug for on in self.sheets for entry in on.taking_part)


def contests(snapshot: Snapshot) -> tuple[Contest, ...]:
    """The tasks in the order of the snapshot, whether it has their phases apart or not."""
    found: dict[str, list[Results]] = {}
    for results in snapshot.tasks:
        found.setdefault(results.task.slug, []).extend(phased(results))
    return tuple(_contest(parts, snapshot.as_of) for parts in found.values())


def _contest(parts: Sequence[Results], at: datetime) -> Contest:
    task = parts[0].task
    slugs = dict(zip(task.phases, phases([p.name for p in task.phases]), strict=True))
    before = BEFORE if task.phases else ""
    made = tuple(sheet(part, slugs[part.phase] if part.phase else before) for part in parts)
    first = current(task, at)
    now = next(on for on in made if on.phase == first)
    return Contest(task, made, now, parts[0].gold.whole, at)


def sheet(results: Results, address: str = "") -> Sheet:
    cuts = parts(results.gold.dimensions)
    ranked = boards(results, ("all", *(part.key for part in cuts)))
    graded = ((entry.slug, shown_grading(entry)) for entry in results.entries)
    scores = {slug: found.by_key if found else {} for slug, found in graded}
    return Sheet(results, ranked, cuts, scores, address, valued(scores.values(), cuts))


def valued(
    every: Iterable[Mapping[tuple[str, str], Score]], cuts: Iterable[Part]
) -> frozenset[str]:
    """The subsets on which some run has a value, or bounds of one, by the scores of each run."""
    keys = frozenset(part.key for part in cuts)
    rest = set(keys)
    for scores in every:
        if not rest:
            break
        rest -= {s for (_, s), one in scores.items() if one.value is not None or one.extremes}
    return keys - rest


def has_page(entry: Entry) -> bool:
    """Whether a run has a page: a withdrawn one keeps its row alone, without numbers."""
    return "withdrawn" not in entry.flags


def shown_grading(entry: Entry) -> Graded | None:
    """A run's grading, if pages show it."""
    return entry.graded if has_page(entry) else None


def measures(results: Results, part: Part | None = None) -> tuple[Measure, ...]:
    """The measures of a board, its primary first; a subset has no means over subsets."""
    found = [find(key) for key in results.task.keys]
    if part is not None:
        found = [lead(results, part.key), *(m for m in found if not m.dimension)]
    return tuple({m.key: m for m in found}.values())


def tally(results: Results) -> str:
    """The measure in which every instance of a task counts once."""
    return "coverage" if results.task.kind == "interval" else "accuracy"


def part_n(on: Sheet, entry: Entry, part: Part | None) -> int:
    """The instances that a run was scored on, in all or in a subset."""
    found = on.scores[entry.slug].get((tally(on.results), part.key if part else "all"))
    return found.n if found else 0
