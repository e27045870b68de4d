"""Tables of scores: their cells, and what is noted of them below."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, compress, islice
from operator import add

import numpy as np

from grader.board import lead
from grader.model import Entry, FloatArray, Measure, Row
from grader.site.addresses import Part
from grader.site.cells import Cell, Cells, cells, joined, numbered
from grader.site.sheets import Sheet, measures, shown_grading


@dataclass(frozen=True, slots=True)
class Said:
    """A note of some cells, to stand below their table.

    Without a ``mark`` it is the reason why they have values without intervals.
    """

    mark: str
    measure: Measure
    note: str
    cells: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Runs in overall order × the values of a dimension, by one measure.

    ``columns`` has for each of ``parts`` a cell of each of ``rows``.
    """

    measure: Measure
    parts: tuple[Part, ...]
    rows: tuple[Row, ...]
    columns: tuple[Cells, ...]
    said: tuple[Said, ...]

    @property
    def valued(self) -> bool:
        """Whether some run has a value."""
        return any(text not in ("", "–") for column in self.columns for text in column.text)


@dataclass(frozen=True, slots=True)
class Profile:
    """One run: measures × overall and every subset, subsets grouped by dimension."""

    groups: tuple[tuple[str, tuple[Part, ...]], ...]
    rows: tuple[tuple[Measure, tuple[Cell, ...]], ...]
    said: tuple[Said, ...]


def matrix(on: Sheet, dimension: str) -> Matrix:
    """The primary measure of every run on every value of a dimension."""
    chosen = dict(on.dimensions)[dimension]
    measure = lead(on.results, chosen[0].key)
    rows = tuple(row for row in on.board.rows if shown_grading(row.entry))
    many, digits = sum(row.rank is not None for row in rows), on.results.task.ranking.digits
    found = on.found(rows, [(measure.key, part.key) for part in chosen])
    made = (numbered(scores, digits, spans=False) for scores in found)
    columns = tuple(one._replace(best=best_of(measure, x[0], many)) for one, x in made)
    in_rows = (tuple(chain(*zip(*each, strict=True))) for each in zip(*columns, strict=True))
    said = said_of([(measure, Cells._make(in_rows))])
    return Matrix(measure, chosen, rows, columns, said)


def profile(on: Sheet, entry: Entry) -> Profile:
    groups = on.dimensions
    wanted = {m.key: m for m in measures(on.results)}
    wanted |= {m.key: m for p in on.parts[:1] for m in measures(on.results, p)}
    places = ["all", *(p.key for _, group in groups for p in group)]
    find = on.scores[entry.slug].get
    found = [find((key, place)) for key in wanted for place in places]
    made = iter(cells(found, on.results.task.ranking.digits))
    rows = tuple((m, tuple(islice(made, len(places)))) for m in wanted.values())
    return Profile(groups, rows, said_of((m, joined(each)) for m, each in rows))


def best_of(measure: Measure, values: FloatArray, many: int) -> list[bool]:
    """Which values of a column are the best of the first ``many``, if these differ."""
    least, most = (end(values[:many], initial=np.nan) for end in (np.fmin.reduce, np.fmax.reduce))
    if measure.better == "none" or not least < most:
        return [False] * len(values)
    best = values == (most if measure.better == "higher" else least)
    best[many:] = False
    found: list[bool] = best.tolist()
    return found


def said_of(columns: Iterable[tuple[Measure, Cells]]) -> tuple[Said, ...]:
    """Every note once for each measure, with how many of its cells carry it."""
    found = []
    for measure, made in columns:
        notes = Counter(compress(zip(made.mark, made.note, strict=True), made.mark))
        found += [Said(mark, measure, note, many) for (mark, note), many in notes.items()]
        each = zip(made.no_span, made.low, made.mark, strict=True)
        unspanned = (why for why, low, mark in each if why and not low and mark != "–")
        whys = Counter(unspanned if any(made.no_span) else ())
        found += [Said("", measure, why, many) for why, many in _alike(whys)]
    return tuple(sorted(found, key=lambda said: ("†", "–", "").index(said.mark)))


_NUMBER = re.compile(r"\d[\d.,]*\b")


def _alike(whys: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield reasons with how many have each: those that differ in numbers alone are one."""
    kinds: dict[str, list[str]] = {}
    for why in whys:
        kinds.setdefault(_NUMBER.sub("…", why), []).append(why)
    for found in kinds.values():
        numbers = zip(*map(_NUMBER.findall, found), strict=True)
        same = ["…" if len(set(each)) > 1 else each[0] for each in numbers]
        words, *more = _NUMBER.split(found[0])
        text = words + "".join(map(add, same, more))
        yield text, sum(whys[why] for why in found)
