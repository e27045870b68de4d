"""What pages say of a run's analysis: sentences, and rows for their tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.analysis.ladder import said as of_rung
from grader.analysis.pooling import warning as of_pooling
from grader.analysis.recalibrate import KEYS
from grader.analysis.recalibrate import said as of_recalibration
from grader.analysis.references import ALWAYS, TITLES, pareto
from grader.analysis.verdict import words
from grader.board import shown
from grader.measures import find
from grader.model import (
    Analysis,
    Cross,
    Entry,
    Measure,
    Pooling,
    Reading,
    Recalibration,
    Reference,
    Row,
    Rung,
    Score,
)
from grader.site.addresses import Part
from grader.site.sheets import Sheet, measures, shown_grading
from grader.site.strips import Axis, Strip, column
from grader.site.tables import Cell, cell

_METHODS = {"isotonic": "isotonic, cross-fitted", "temperature": "temperature, cross-fitted"}


@dataclass(frozen=True, slots=True)
class Readings:
    """A row of readings under its title; ``note`` says what is behind it."""

    title: str
    cells: tuple[Cell, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceRows:
    """Reference rows under the columns ``measures``, made from the answers of ``entry``.

    Each row has its title and, for each measure, a cell and its strip, on ``axes`` of their own.
    """

    entry: Entry
    measures: tuple[Measure, ...]
    rows: tuple[tuple[str, tuple[tuple[Cell, Strip | None], ...]], ...]
    axes: tuple[Axis | None, ...]


def step(rung: Rung, digits: int) -> tuple[str, str]:
    """The title of a rung's measure, and what it says."""
    return find(rung.measure).title, of_rung(rung, digits)


def judgement(found: Analysis, digits: int) -> str:
    """Which way a run errs."""
    return words(found.verdict, digits)


def warning(found: Pooling, digits: int) -> str:
    return of_pooling(found, digits)


def lesson(found: Recalibration, digits: int) -> str:
    return of_recalibration(found, digits)


def grid(found: Pooling) -> tuple[tuple[str, tuple[Cross, ...]], ...]:
    """The listed pairs by the subset of the right answer, each with all its wrong ones."""
    names = tuple(dict.fromkeys(c.right for c in found.crosses))
    return tuple((n, tuple(c for c in found.crosses if c.right == n)) for n in names)


def _cells(readings: Sequence[Reading], keys: Sequence[str], digits: int) -> tuple[Cell, ...]:
    by_key = {r.measure: r for r in readings}
    return tuple(_cell(by_key.get(key), digits) for key in keys)


def _cell(reading: Reading | None, digits: int) -> Cell:
    return cell(_score(reading), digits)


def _score(reading: Reading | None) -> Score:
    if reading is None:
        return Score("", "all", 0, None, note="not computed for these rows")
    made = Score(reading.measure, "all", 0, reading.value, note=reading.note)
    if reading.floor_mean is not None and reading.floor_95 is not None:
        floor = {"floor mean": reading.floor_mean, "floor 95%": reading.floor_95}
        made = made._replace(details=floor)
    return made


def recalibrated(found: Recalibration, digits: int) -> tuple[Readings, ...]:
    """The run as submitted, and after each way of learning better confidences."""
    rows = [Readings("as submitted", _cells(found.before, KEYS, digits))]
    for one in found.after:
        title = _METHODS[one.method]
        warm = one.temperature
        note = f"temperature {shown(warm, digits)} on all instances" if warm is not None else ""
        rows.append(Readings(title, _cells(one.readings, KEYS, digits), note))
    return tuple(rows)


def alike(found: Analysis, right: int, digits: int) -> tuple[Readings, ...]:
    """The run itself, and its reference rows, by the measures of ALWAYS."""
    own = [Reading("hmr", found.verdict.hmr, found.verdict.note)]
    own.append(Reading("accuracy", right / found.selective.n))
    own += [r for r in found.recalibration.before if r.measure in ("brier", "ece@10")]
    rows = [("this run", tuple(own)), *((TITLES[r.key], r.readings) for r in found.references)]
    return tuple(Readings(title, _cells(each, ALWAYS, digits)) for title, each in rows)


def columns(keys: Sequence[str]) -> tuple[Measure, ...]:
    return tuple(find(key) for key in keys)


def reference_rows(on: Sheet, part: Part | None = None) -> ReferenceRows | None:
    """The reference rows of a board: from the answers of its best-ranked run that has some."""
    digits = on.results.task.ranking.digits
    shown_measures = measures(on.results, part)
    entry, found = _referred(on) if part is None else _referred_in(on, part)
    if entry is None:
        return None
    known = [{one.measure: one for one in r.readings} for r in found]
    made = [column(m, [_score(k.get(m.key)) for k in known], digits) for m in shown_measures]
    each = (zip(one.cells, one.strips, strict=True) for one in made)
    titles = (TITLES[r.key] for r in found)
    rows = tuple(zip(titles, zip(*each, strict=True), strict=True))
    return ReferenceRows(entry, shown_measures, rows, tuple(one.axis for one in made))


def _referred(on: Sheet) -> tuple[Entry | None, Sequence[Reference]]:
    for row in on.board.ranked:
        grading = shown_grading(row.entry)
        if grading is not None and grading.analysis is not None:
            return row.entry, grading.analysis.references
    return None, ()


def _referred_in(on: Sheet, part: Part) -> tuple[Entry | None, Sequence[Reference]]:
    found = on.results.beside.get(part.key)
    if found is None:
        return None, ()
    return next(e for e in on.results.entries if e.slug == found.slug), found.references


def front(on: Sheet, part: Part | None = None) -> tuple[Row, ...]:
    """The ranked runs that no other beats in both accuracy and HMR, at the shown precision.

    On a subset only where HMR is a column of its board.
    """
    digits, subset = on.results.task.ranking.digits, part.key if part else "all"
    rows, points = [], []
    for row in on.ranks(part).ranked:
        accuracy = on.scores[row.entry.slug].get(("accuracy", subset))
        reward = _reward(on, row.entry, subset)
        if accuracy is not None and accuracy.value is not None and reward is not None:
            rows.append(row)
            pair = (accuracy.value, reward)
            points.append((float(shown(pair[0], digits)), float(shown(pair[1], digits))))
    return tuple(row for row, kept in zip(rows, pareto(points), strict=True) if kept)


def _reward(on: Sheet, entry: Entry, subset: str) -> float | None:
    """A run's HMR; on the whole, whether its task lists that measure or not."""
    found = on.scores[entry.slug].get(("hmr", subset))
    if found is not None:
        return found.value
    analysis = entry.graded and entry.graded.analysis
    return analysis.verdict.hmr if analysis and subset == "all" else None
