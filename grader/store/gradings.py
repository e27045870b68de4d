"""A run's scores under a gold version: rows in, rows out."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Any

from pydantic_core import from_json
from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select

from grader.model import Bin, Graded, Notice, Score
from grader.store.analyses import analysis_text, is_current, unread
from grader.store.golds import gold_number, json_text
from grader.store.schema import golds, gradings, scores, tasks
from grader.store.views import insert_view


def insert_grading(
    db: Connection, key: tuple[str, int, int], graded: Graded, settings: str, at: datetime
) -> None:
    """Put scores in place of those under the same (task slug, run's row, gold version)."""
    task_slug, run, version = key
    gold = gold_number(db, task_slug, version)
    old = (gradings.c.run_id == run, gradings.c.gold_id == gold)
    db.execute(delete(gradings).where(*old))
    row = {  # int: SQLite would keep an integer of NumPy as its bytes
        "run_id": run,
        "gold_id": gold,
        "n": int(graded.n),
        "of": int(graded.of),
        "right": int(graded.right),
        "abstained": int(graded.abstained),
        "reliability": json_text([[b.n, b.confidence, b.accuracy] for b in graded.reliability]),
        "notices": json_text([[notice.code, notice.message] for notice in graded.notices]),
        "settings": settings,
        "at": at,
        "analysis": analysis_text(graded.analysis),
    }
    number = db.execute(insert(gradings).values(row).returning(gradings.c.id)).scalar_one()
    if graded.view is not None:
        insert_view(db, number, graded.view)
    if graded.scores:
        rows = [_score_row(score) for score in graded.scores]
        db.execute(
            insert(scores),
            [row | {"grading_id": number, "position": i} for i, row in enumerate(rows)],
        )


def _score_row(score: Score) -> dict[str, Any]:
    return {
        "subset": score.subset,
        "measure": score.measure,
        "n": int(score.n),
        "value": _number(score.value),
        "low": _number(score.low),
        "high": _number(score.high),
        "note": score.note,
        "no_interval": score.no_interval,
        "details": json_text(dict(score.details)),
        "version": int(score.version),
    }


def _number(value: float | None) -> float | None:
    """A float as both databases give it back: SQLite has no -0.0, and stores NaN as NULL."""
    if value is None:
        return None
    if value != value:  # noqa: PLR0124, only NaN is not itself
        raise ValueError("a score is NaN: undefined is None with a reason")
    return float(value) + 0.0


# What of a score's row is read, the key of its grading first: there are very many.
_SCORED = tuple(
    scores.c[name]
    for name in (
        *("grading_id", "measure", "subset", "n", "value", "low", "high", "note"),
        *("no_interval", "details", "version"),
    )
)


def read_scores(db: Connection, *which: ColumnElement[bool]) -> dict[int, tuple[Score, ...]]:
    """Scores by the key of their grading.

    which  conditions on scores and their gradings
    """
    rows = db.execute(
        select(*_SCORED)
        .join(gradings, gradings.c.id == scores.c.grading_id)
        .where(*which)
        .order_by(scores.c.grading_id, scores.c.position)
    ).all()
    if not rows:
        return {}
    of, *columns, texts, versions = zip(*rows, strict=True)
    details = ({} if text == "{}" else from_json(text) for text in texts)
    found = map(Score._make, zip(*columns, details, versions, strict=True))
    return {key: tuple(islice(found, many)) for key, many in Counter(of).items()}


def read_graded(row: Row[Any], found: Iterable[Score]) -> Graded:
    return Graded(
        scores=tuple(found),
        notices=tuple(Notice(code, message) for code, message in json.loads(row.notices)),
        reliability=tuple(Bin(*bar) for bar in json.loads(row.reliability)),
        n=row.n,
        of=row.of,
        right=row.right,
        abstained=row.abstained,
        analysed=unread(row.analysis),
    )


def unanalysed(db: Connection) -> tuple[tuple[str, int], ...]:
    """Tasks with runs that lack an analysis of this version, and how many: ``rescore`` fills it.

    Runs of intervals, and those without a scored instance, have none and lack none.
    """
    newest = select(func.max(golds.c.id)).group_by(golds.c.task_id)
    rows = db.execute(
        select(tasks.c.slug, gradings.c.analysis)
        .join(golds, golds.c.task_id == tasks.c.id)
        .join(gradings, gradings.c.gold_id == golds.c.id)
        .where(golds.c.id.in_(newest), gradings.c.reliability != "[]")
        .order_by(tasks.c.id)
    )
    lacking = Counter(str(slug) for slug, text in rows if not is_current(text))
    return tuple(lacking.items())
