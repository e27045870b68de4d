"""Tables of scores: numbers become text here, once, and templates only print it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import NamedTuple

from grader.board import lead, printed, shown
from grader.board.values import LARGE
from grader.model import Entry, Measure, Row, Score
from grader.site.addresses import Part
from grader.site.sheets import Sheet, measures, shown_grading

_UNMARKED = False  # which cell is the best is known of whole columns
WITHIN = "not distinguishable from calibrated at this n"


class Cell(NamedTuple):  # long boards have a great many
    """A score as printed. ``note`` is a convention, or with ``mark`` – why there is no value.

    ``bin`` is the n of the one bin that a maximum over bins comes from. ``low`` and ``high`` are
    the ends of the interval; where they are empty, ``no_span`` may say why. ``floor`` is what a
    calibrated run stays within in 95% of cases; ``within`` says that this one does, ``noise`` all
    of it in words.
    """

    text: str = ""
    mark: str = ""
    note: str = ""
    best: bool = False
    bin: int | None = None
    low: str = ""
    high: str = ""
    no_span: str = ""
    floor: str = ""
    within: bool = False
    noise: str = ""

    @property
    def span(self) -> str:
        """The interval; empty if there is none."""
        if not self.low:
            return ""
        between = " to " if self.low[0] == "-" else "–"
        return self.low + between + self.high

    @property
    def hint(self) -> str:
        """What is said of it when asked: its interval or why it has none, what its mark means."""
        if self.mark == "–":
            return self.note
        said = f"95% interval {self.span}" if self.low else ""
        if not said and self.no_span:
            said = f"no interval: {self.no_span}"
        return f"{said}; {self.note}" if said and self.note else said or self.note

    @property
    def sort(self) -> str:
        """What a table sorts by: the rounded value; empty stands last, as do bounds of one."""
        none = self.mark == "–" or self.text == "∞" or " to " in self.text
        return "" if none else self.text


@dataclass(frozen=True, slots=True)
class Line:
    """A run's row."""

    row: Row
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A note of some cells, to stand below their table."""

    mark: str
    measure: Measure
    note: str
    cells: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Runs in overall order × the values of a dimension, by one measure."""

    measure: Measure
    parts: tuple[Part, ...]
    lines: tuple[Line, ...]
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """One run: measures × overall and every subset, subsets grouped by dimension."""

    groups: tuple[tuple[str, tuple[Part, ...]], ...]
    rows: tuple[tuple[Measure, tuple[Cell, ...]], ...]
    said: tuple[Said, ...]


def cell(score: Score | None, digits: int) -> Cell:
    return cells((score,), digits)[0]


def cells(scores: Sequence[Score | None], digits: int) -> list[Cell]:
    """The cells of a row or a column, made together: long boards have a great many."""
    defined = iter(_defined([s for s in scores if s is not None and s.value is not None], digits))
    return [
        _undefined(s, digits) if s is None or s.value is None else next(defined) for s in scores
    ]


def _undefined(score: Score | None, digits: int) -> Cell:
    if score is None:
        return Cell()
    text = printed(score, digits)
    mark = "–" if text == shown(None, digits) else "†"
    return Cell(text, mark, score.note or "no reason was given")


def _defined(scores: Sequence[Score], digits: int) -> Iterator[Cell]:
    """Yield the cells of scores that have values, made field by field."""
    spans = [s.low is not None and s.high is not None for s in scores]
    floors = [s.floor_95 if s.details else None for s in scores]
    bins = (s.details.get("n of the bin") if s.details else None for s in scores)
    each = zip(scores, floors, strict=True)
    return map(
        Cell,
        _texts([s.value for s in scores], digits),
        ["†" if s.note else "" for s in scores],
        [s.note for s in scores],
        repeat(_UNMARKED),
        [None if size is None else int(size) for size in bins],
        _texts([s.low if there else None for s, there in zip(scores, spans, strict=True)], digits),
        _texts(
            [s.high if there else None for s, there in zip(scores, spans, strict=True)], digits
        ),
        [s.no_interval for s in scores],
        _texts(floors, digits),
        [floor is not None and s.above_floor is False for s, floor in each],
        map(partial(_noise, digits=digits), scores, floors),
    )


def _texts(numbers: Sequence[float | None], digits: int) -> list[str]:
    """The numbers as ``shown``; empty where there is none."""
    there = [number for number in numbers if number is not None]
    if not there:
        return [""] * len(numbers)
    if min(there) < 0 or max(there) >= LARGE:
        return ["" if number is None else shown(number, digits) for number in numbers]
    fixed = f"%.{digits}f"
    return ["" if number is None else fixed % (number + 0.0) for number in numbers]  # no -0


def _noise(score: Score, most: float | None, digits: int) -> str:
    """A score's floor in words, with a digit more than values have: so that both can be right.

    A floor that has no more digits is printed as it is.
    """
    if most is None or (mean := score.floor_mean) is None:
        return ""
    if round(mean, digits) != mean or round(most, digits) != most:
        digits += 1
    verdict = "above what noise gives" if score.above_floor else WITHIN
    return f"floor: mean {shown(mean, digits)}, 95% {shown(most, digits)}; {verdict}"


def matrix(on: Sheet, dimension: str) -> Matrix:
    """The primary measure of every run on every value of a dimension."""
    chosen = dict(on.dimensions)[dimension]
    measure = lead(on.results, chosen[0].key)
    rows = (*on.board.ranked, *on.board.unranked)
    shown_rows = [row for row in rows if shown_grading(row.entry)]
    many = sum(row.rank is not None for row in shown_rows)
    columns, digits = [], on.results.task.ranking.digits
    for part in chosen:
        made = cells([_score(on, row.entry, measure, part) for row in shown_rows], digits)
        columns.append((*marked(measure, made[:many]), *made[many:]))
    across = zip(*columns, strict=True)
    lines = tuple(Line(row, cells) for row, cells in zip(shown_rows, across, strict=True))
    return Matrix(measure, chosen, lines, said_of((measure, c) for x in lines for c in x.cells))


def profile(on: Sheet, entry: Entry) -> Profile:
    groups = on.dimensions
    wanted = {m.key: m for m in measures(on.results)}
    wanted |= {m.key: m for p in on.parts[:1] for m in measures(on.results, p)}
    places = (None, *(p for _, group in groups for p in group))
    digits = on.results.task.ranking.digits
    found = ((m, [_score(on, entry, m, p) for p in places]) for m in wanted.values())
    rows = tuple((m, tuple(cells(scores, digits))) for m, scores in found)
    return Profile(groups, rows, said_of((m, c) for m, cells in rows for c in cells))


def _score(on: Sheet, entry: Entry, measure: Measure, part: Part | None) -> Score | None:
    return on.scores[entry.slug].get((measure.key, part.key if part else "all"))


def marked(measure: Measure, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a column with the best shown values marked, if the values differ."""
    values = [float(key) if (key := cell.sort) else None for cell in cells]
    found = {value for value in values if value is not None}
    if measure.better == "none" or len(found) < 2:
        return tuple(cells)
    best = (max if measure.better == "higher" else min)(found)
    each = zip(cells, values, strict=True)
    return tuple(cell._replace(best=True) if value == best else cell for cell, value in each)


def said_of(cells: Iterable[tuple[Measure, Cell]]) -> tuple[Said, ...]:
    """Every note once for each measure, with how many cells carry it, in the order of columns."""
    found: dict[tuple[str, str, str], Said] = {}
    order: dict[str, int] = {}
    for measure, shown_cell in cells:
        order.setdefault(measure.key, len(order))
        if shown_cell.mark:
            key = (shown_cell.mark, measure.key, shown_cell.note)
            before = found.get(key, Said(shown_cell.mark, measure, shown_cell.note, 0))
            found[key] = replace(before, cells=before.cells + 1)
    return tuple(sorted(found.values(), key=lambda s: (s.mark == "–", order[s.measure.key])))
