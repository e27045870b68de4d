"""All scores of a run under a gold version as one JSON text, by columns, and back.

They are written, read and removed together, and a large task has very many: of 1,000 runs with 231
scores each the texts are read in a quarter of the time that a row for each score took.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from pydantic_core import from_json
from sqlalchemy import Connection, insert

from grader.model import Score
from grader.store.golds import json_text
from grader.store.schema import scorecards


def insert_scores(db: Connection, grading: int, found: Iterable[Score]) -> None:
    db.execute(insert(scorecards).values(grading_id=grading, body=scores_text(found)))


def scores_text(found: Iterable[Score]) -> str:
    """The text to store.

    raises  ValueError, for what no score may be: not finite, undefined without a reason, there
            twice, or of text that is none
    """
    rows = list(map(_checked, found))
    if len({(score.measure, score.subset) for score in rows}) < len(rows):
        raise ValueError("a measure is scored twice on a subset")
    columns: Iterable[Sequence[object]] = zip(*rows, strict=True) if rows else [()] * len(_FIELDS)
    return json_text(dict(zip(_FIELDS, columns, strict=True)))


def read_scores(text: str) -> tuple[Score, ...]:
    columns = from_json(text, cache_strings="all")
    return tuple(map(_score, zip(*map(columns.__getitem__, _FIELDS), strict=True)))


_FIELDS = Score._fields
_score = partial(tuple.__new__, Score)  # as ``_make``, of tuples that are known to be as long
_MOST = 1e308  # as far as the numbers of an older revision go, to which one may go back


def _checked(score: Score) -> Score:
    """A score as it is read again: of Python's own numbers."""
    if score.value is None and not score.note:
        raise ValueError("an undefined score has no reason")
    for text in (score.subset, score.note, score.no_interval):
        text.encode()  # half of a surrogate pair would be written, and never read
    return score._replace(
        n=int(score.n),
        value=_number(score.value),
        low=_number(score.low),
        high=_number(score.high),
        details=dict(score.details),
        version=int(score.version),
    )


def _number(value: float | None) -> float | None:
    if value is None:
        return None
    if not abs(value) <= _MOST:
        raise ValueError("a score is not finite: undefined is None with a reason")
    return float(value) + 0.0  # no -0
