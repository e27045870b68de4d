"""Scores as tables for people and their tools."""

import json
from collections.abc import Iterator
from csv import QUOTE_NONNUMERIC

import pandas as pd

from grader.analysis.document import document
from grader.board import rank
from grader.model import Results, Row
from grader.signature import signature
from grader.spreadsheet import neutral


def frame(results: Results) -> pd.DataFrame:
    """One row for each run, subset and measure, in the order of the board; phase by phase.

    Values have full precision; an undefined one is missing, with its reason in ``note``. In a
    judged task also how far one may still go, and how many answers are not judged yet.
    """
    kinds = _kinds(results)
    return pd.DataFrame(list(_rows(results)), columns=list(kinds)).astype(kinds)


_COLUMNS = {
    "task": "str",
    "rank": "Int64",
    "team": "str",
    "name": "str",
    "run": "str",
    "phase": "str",
    "received": "str",
    "sha256": "str",
    "unranked": "str",
    "subset": "str",
    "measure": "str",
    "n": "int64",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "floor_mean": "float64",
    "floor_95": "float64",
    "note": "str",
    "signature": "str",
}


_OPEN = {"least": "float64", "most": "float64", "not_judged": "int64"}  # of a judged task


def _kinds(results: Results) -> dict[str, str]:
    """The columns, and what each holds."""
    return _COLUMNS | (_OPEN if results.task.answers == "judged" else {})


def _rows(results: Results) -> Iterator[tuple[object, ...]]:
    for row in rank(results).rows:
        yield from _of(results, row)


def _of(results: Results, row: Row) -> Iterator[tuple[object, ...]]:
    entry = row.entry
    run = (results.task.slug, row.rank, entry.team, entry.name, entry.slug, entry.phase)
    head = (*run, entry.received.isoformat(), entry.sha256, row.why)
    for s in entry.graded.scores if entry.graded else ():
        tail = (s.floor_mean, s.floor_95, s.note, signature(s, entry.settings))
        more: tuple[object, ...] = ()
        if results.task.answers == "judged":
            more = (*(s.extremes or (None, None)), s.waiting)
        yield (*head, s.subset, s.measure, s.n, s.value, s.low, s.high, *tail, *more)


def csv(results: Results) -> str:
    """The frame as CSV. A text that a spreadsheet would run as a formula gets a ``'`` in front.

    Numbers are written as they are, so a negative score stays a number. Every text is quoted:
    else a carriage return inside one would begin a row, and a formula could stand behind it.
    """
    table = frame(results)
    for column in (name for name, kind in _COLUMNS.items() if kind == "str"):
        table[column] = table[column].map(neutral)
    return table.to_csv(index=False, lineterminator="\n", quoting=QUOTE_NONNUMERIC)


def as_json(results: Results) -> str:
    """The frame as a list of objects under ``scores``, and the analyses; undefined is null.

    ``analyses`` has an object for each run of the board that is scored, in its order; null is one
    of a run of intervals, or of an older grader, which ``rescore`` fills.
    """
    rows = [dict(zip(_kinds(results), row, strict=True)) for row in _rows(results)]
    whole = {"scores": rows, "analyses": list(_analyses(results))}
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _analyses(results: Results) -> Iterator[dict[str, object]]:
    """Yield what stands beside the scores of each run, which no flat table holds."""
    for row in rank(results).rows:
        entry, graded = row.entry, row.entry.graded
        if graded is None:
            continue
        found = graded.analysis
        digits = results.task.ranking.digits
        said = None if found is None else document(found, graded.reliability, digits)
        yield {"run": entry.slug, "team": entry.team, "name": entry.name, "analysis": said}
