"""The primary measure of every run on every subset of a dimension, as shades with numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from grader.board import lead, printed, shown, shown_each
from grader.model import Measure, Row, Score
from grader.site.addresses import Part
from grader.site.addresses import phases as slugs
from grader.site.pictures.names import clipped, isolated
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.runs import KEYS, called, drawn_rows, keys, said
from grader.site.sheets import Sheet

LEFT, TOP, WIDE, HIGH = 190.0, 40.0, 62.0, 26.0
SHADES = 5
MOST = 60  # runs that are drawn


@dataclass(frozen=True, slots=True)
class Cell:
    """A run on a subset: its value, how many instances, and a shade from 1 (worst) to SHADES.

    The shade is 0 where there is no value.
    """

    said: str
    x: float
    value: str
    n: str
    shade: int


@dataclass(frozen=True, slots=True)
class Strip:
    """A run's cells at the height ``y``."""

    rank: str
    name: str
    said: str
    y: float
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """The worst and the best value that are shown; None if there is none."""

    worst: float | None
    best: float | None

    def shade(self, value: float) -> int:
        """From 1 for the worst to SHADES for the best.

        >>> [Scale(0.2, 0.7).shade(v) for v in (0.2, 0.29, 0.31, 0.7)], Scale(1.0, 0.0).shade(0.1)
        ([1, 1, 2, 5], 5)
        """
        if self.worst is None or self.best is None or self.worst == self.best:
            return 1
        share = (value - self.worst) / (self.best - self.worst)
        return min(1 + int(share * SHADES + 1e-9), SHADES)


@dataclass(frozen=True, slots=True)
class Heat:
    """Runs downwards, subsets to the right; ``ends`` are the worst and the best value.

    ``more`` runs are in the data alone.
    """

    measure: Measure
    heads: tuple[tuple[str, str, float], ...]
    strips: tuple[Strip, ...]
    ends: tuple[str, str] | None
    left: float
    width: float
    height: float
    more: int
    wide: float = WIDE
    tall: float = HIGH


Found = Sequence[Sequence[Score | None]]  # scores by run and subset


def heats(on: Sheet) -> tuple[Picture, ...]:
    """A map for each dimension, of the first MOST runs; none where no run has a value."""
    rows = tuple(drawn_rows(on))
    named = slugs([name for name, _ in on.dimensions])
    of = zip(named, on.dimensions, strict=True)
    return tuple(_heat(on, rows, slug, *one) for slug, one in of if not why_none(on, one[1]))


def why_none(on: Sheet, parts: tuple[Part, ...]) -> str:
    """Why there is no map of a dimension; empty where some run has a value.

    The reason is that of all runs on all subsets that have instances, if it is one.
    """
    there = tuple(part for part in parts if part.n) or parts
    reasons = set()
    for one in filter(None, chain.from_iterable(_found(on, drawn_rows(on), there))):
        if one.value is not None or one.extremes:
            return ""  # most often of the first run
        reasons.add(one.note)
    return "no run has a value to show" + (f" ({reasons.pop()})" if len(reasons) == 1 else "")


def _found(
    on: Sheet, rows: Iterable[Row], parts: tuple[Part, ...]
) -> Iterator[list[Score | None]]:
    """Yield the scores of each run by subset."""
    key = lead(on.results, parts[0].key).key
    places = [(key, part.key) for part in parts]
    for row in rows:
        yield list(map(on.scores[row.entry.slug].get, places))


def _heat(
    on: Sheet, rows: tuple[Row, ...], slug: str, dimension: str, parts: tuple[Part, ...]
) -> Picture:
    measure, digits = lead(on.results, parts[0].key), on.results.task.ranking.digits
    found = list(_found(on, rows, parts))
    scale = _scale(measure, found[:MOST], digits)
    strips = tuple(
        _strip(row, TOP + HIGH * i, _row(parts, found[i], scale, digits))
        for i, row in enumerate(rows[:MOST])
    )
    return Picture(
        f"heat-{slug}",
        "heat",
        f"{measure.title} by {dimension}",
        f"{measure.title} of {len(strips)} of {len(rows)} runs on {len(parts)} subsets of "
        f"{isolated(dimension)}, each with how many instances; a stronger shade is better.",
        Heat(
            measure,
            tuple((clipped(p.value, 11), p.value, LEFT + WIDE * i) for i, p in enumerate(parts)),
            strips,
            None
            if scale.worst is None
            else (shown(scale.worst, digits), shown(scale.best, digits)),
            LEFT,
            max(LEFT + WIDE * len(parts) + 6, 460.0),
            TOP + HIGH * len(strips) + 34,
            len(rows) - len(strips),
        ),
        Data((*KEYS, "subset", measure.key, "n"), _cells(rows, parts, found, digits), 5),
    )


def _scale(measure: Measure, found: Found, digits: int) -> Scale:
    values = [as_shown(s.value, digits) for e in found for s in e if s and s.value is not None]
    if not values:
        return Scale(None, None)
    ends = (min(values), max(values))
    return Scale(*(ends[::-1] if measure.better == "lower" else ends))


def _row(
    parts: tuple[Part, ...], scores: Sequence[Score | None], scale: Scale, digits: int
) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            f"{isolated(part.value)}: {printed(score, digits)}, n {score.n if score else 0}",
            LEFT + WIDE * i,
            printed(score, digits),
            f"n {score.n:,}" if score else "",
            scale.shade(as_shown(score.value, digits)) if score and score.value is not None else 0,
        )
        for i, (part, score) in enumerate(zip(parts, scores, strict=True))
    )


def _strip(row: Row, y: float, cells: tuple[Cell, ...]) -> Strip:
    return Strip(str(row.rank or ""), called(row), said(row), y, cells)


def _cells(
    rows: tuple[Row, ...], parts: tuple[Part, ...], found: Found, digits: int
) -> tuple[tuple[str, ...], ...]:
    scores = [score for each in found for score in each]
    runs = [key for key in map(keys, rows) for _ in parts]
    named = [part.value for part in parts] * len(rows)
    values = shown_each([score.value if score else None for score in scores], digits)
    sizes = [str(score.n) if score else "" for score in scores]
    each = zip(runs, named, values, sizes, strict=True)
    return tuple((*run, name, value, n) for run, name, value, n in each)
