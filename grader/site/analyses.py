"""What pages say of a run's analysis: sentences, and rows for their tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.analysis.ladder import said as of_rung
from grader.analysis.pooling import warning as of_pooling
from grader.analysis.recalibrate import KEYS
from grader.analysis.recalibrate import said as of_recalibration
from grader.analysis.references import ALWAYS, TITLES, pareto
from grader.analysis.verdict import leaning, words
from grader.board import shown, shown_each
from grader.board.values import rounded
from grader.measures import find
from grader.model import (
    Analysis,
    Entry,
    Measure,
    Pooling,
    Reading,
    Recalibration,
    Reference,
    Row,
    Score,
)
from grader.site.addresses import Part
from grader.site.cells import Cell, cell, cells
from grader.site.families import family
from grader.site.sheets import Sheet, measures, shown_grading
from grader.site.strips import Column, column

FRONT = ("accuracy", "hmr")
_METHODS = {"isotonic": "isotonic, cross-fitted", "temperature": "temperature, cross-fitted"}


@dataclass(frozen=True, slots=True)
class Readings:
    """A row of readings under its title; ``note`` says what is behind it."""

    title: str
    cells: tuple[Cell, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceRows:
    """Reference rows under the columns of ``measures``, made from the answers of ``entry``.

    Their strips have axes of their own.
    """

    entry: Entry
    measures: tuple[Measure, ...]
    titles: tuple[str, ...]
    columns: tuple[Column, ...]


def steps(found: Analysis, digits: int) -> tuple[Sequence[str], ...]:
    """The ladder by columns: where a measure is explained, its title, what it says, its words.

    It says its value, and the floor's mean and 95%, which are empty where there is none.
    """
    ladder = found.ladder
    numbers = [r.value for r in ladder], [r.mean for r in ladder], [r.q95 for r in ladder]
    return (
        [family(find(r.measure)) for r in ladder],
        [find(r.measure).title for r in ladder],
        *(shown_each(column, digits) for column in numbers),
        [of_rung(r, digits) for r in ladder],
    )


def judgement(found: Analysis, digits: int) -> str:
    """What a run's rewards say of it."""
    return words(found.verdict, digits)


def lean(on: Sheet, entry: Entry, digits: int) -> tuple[str, Cell] | None:
    """Which way a run errs on the whole, and its bias as printed; None where there is none."""
    found = on.scores[entry.slug].get(("bias", "all"))
    if found is None or found.value is None:
        return None
    return leaning(found.value, found.low, found.high, digits), cell(found, digits)


def warning(found: Pooling, digits: int) -> str:
    return of_pooling(found, digits)


def lesson(found: Recalibration, digits: int) -> str:
    return of_recalibration(found, digits)


def grid(found: Pooling, digits: int) -> tuple[list[int], list[str], list[list[str]]]:
    """The listed pairs, a row for each subset of right answers.

    Which pair of each row is of one subset; the subsets; and by columns, two for each subset of
    wrong answers: the AUROC, empty where there is none, and the percent of all pairs.
    """
    crosses, pairs = found.crosses, found.pairs
    names = list(dict.fromkeys(c.right for c in crosses))
    values = shown_each([c.auroc for c in crosses], digits)
    shares = shown_each([100 * c.pairs / pairs for c in crosses], 1)
    wide = len(crosses) // max(len(names), 1)
    own = [i % wide for i, c in enumerate(crosses) if c.right == c.wrong]
    return own, names, [each[i::wide] for i in range(wide) for each in (values, shares)]


def _cells(
    rows: Sequence[Sequence[Reading]], keys: Sequence[str], digits: int
) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each row of readings, which are made together."""
    known = [{r.measure: r for r in readings} for readings in rows]
    made = iter(cells([_score(each.get(key)) for each in known for key in keys], digits))
    yield from (tuple(islice(made, len(keys))) for _ in rows)


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
    titles, notes = ["as submitted"], [""]
    for one in found.after:
        titles.append(_METHODS[one.method])
        warm = one.temperature
        note = f"temperature {shown(warm, digits)} on all instances" if warm is not None else ""
        notes.append(note)
    every = [found.before, *(one.readings for one in found.after)]
    return tuple(map(Readings, titles, _cells(every, KEYS, digits), notes))


def alike(found: Analysis, right: int, digits: int) -> tuple[Readings, ...]:
    """The run itself, and its reference rows, by the measures of ALWAYS."""
    own = [Reading("hmr", found.verdict.hmr, found.verdict.note)]
    own.append(Reading("accuracy", right / found.selective.n))
    own += [r for r in found.recalibration.before if r.measure in ("brier", "ece@10")]
    titles = ["this run", *(TITLES[r.key] for r in found.references)]
    every = [own, *(r.readings for r in found.references)]
    return tuple(map(Readings, titles, _cells(every, ALWAYS, digits)))


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
    return ReferenceRows(entry, shown_measures, tuple(TITLES[r.key] for r in found), tuple(made))


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


def front(
    on: Sheet,
    part: Part | None,
    accuracies: Sequence[Score | None],
    rewards: Sequence[Score | None],
) -> tuple[Row, ...]:
    """The ranked runs that no other beats in both accuracy and HMR, at the shown precision.

    On a subset only where HMR is a column of its board. The scores of its rows are by FRONT.
    """
    digits, rows = on.results.task.ranking.digits, on.ranks(part).ranked
    known = [_reward(row.entry, one, part) for row, one in zip(rows, rewards, strict=False)]
    across = rounded([one and one.value for one in accuracies[: len(rows)]], digits)
    points = [
        (row, (x, y))
        for row, x, y in zip(rows, across, rounded(known, digits), strict=True)
        if x is not None and y is not None
    ]
    best = pareto([point for _, point in points])
    return tuple(row for (row, _), kept in zip(points, best, strict=True) if kept)


def _reward(entry: Entry, found: Score | None, part: Part | None) -> float | None:
    """A run's HMR; on the whole, whether its task lists that measure or not."""
    if found is None and part is None and entry.graded and entry.graded.brief:
        return entry.graded.brief.verdict.hmr
    return found and found.value
