"""A run's scores under a gold version: rows in, rows out."""

import json
from collections import Counter
from datetime import datetime
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Row, delete, func, insert, select

from grader.model import Bin, Graded, Notice, Stored
from grader.store.analyses import analysis_text, is_current, unread
from grader.store.golds import gold_number, json_text
from grader.store.schema import golds, gradings, tasks
from grader.store.scorecards import insert_scores, read_scores
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
    insert_scores(db, number, graded.scores)


def read_graded(row: Row[Any]) -> Graded:
    """A run's scores from a row of ``gradings`` with the body of its scorecard.

    A run that is graded again has a new row, with another key.
    """
    source = f"{row.id} {row.at.isoformat()}"
    return Graded(
        scores=Stored(read_scores(row.body), source),
        notices=tuple(Notice(code, message) for code, message in json.loads(row.notices)),
        reliability=tuple(Bin(*bar) for bar in from_json(row.reliability)),
        n=row.n,
        of=row.of,
        right=row.right,
        abstained=row.abstained,
        analysed=unread(row.analysis, source),
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
