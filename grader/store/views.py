"""Runs as measures see them, kept with their scores, so that a site need not read them again."""

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, insert, select

from grader.model import BoolArray, Bounds, Classes, Judged
from grader.store.pseudonyms import each_behind
from grader.store.schema import golds, gradings, runs, views
from grader.store.tasks import task_number
from grader.version import __version__

View = tuple[Judged, BoolArray]
_FORM = f"1 {__version__}"  # what another grader wrote is not read


def insert_view(db: Connection, grading: int, view: View) -> None:
    row = {"grading_id": grading, "form": _FORM, "body": packed(view)}
    db.execute(insert(views).values(row))


def stored_views(
    db: Connection, task_slug: str, wanted: Sequence[str]
) -> Mapping[str, tuple[str, View]]:
    """The phases and views of those of these runs whose views under the newest gold are kept.

    They are read as they were graded: all instances of the phase's part count that the run
    answered, dropped ones too.

    wanted  the addresses of runs, which may be pseudonyms
    """
    task = task_number(db, task_slug)
    newest = select(func.max(golds.c.id)).where(golds.c.task_id == task).scalar_subquery()
    rows = db.execute(
        select(runs.c.slug, runs.c.phase, views.c.body)
        .join(gradings, gradings.c.run_id == runs.c.id)
        .join(views, views.c.grading_id == gradings.c.id)
        .where(runs.c.task_id == task, gradings.c.gold_id == newest, views.c.form == _FORM)
    )
    by = {run: address for address, run in each_behind(db, task_slug, wanted).items()}
    return {by[run]: (phase, unpacked(bytes(body))) for run, phase, body in rows if run in by}


def packed(view: View) -> bytes:
    """A line of JSON that names the arrays, and their bytes, compressed."""
    judged, counted = view
    arrays: dict[str, Any] = {
        "correct": judged.correct,
        "confidence": judged.confidence,
        "cluster": judged.cluster,
        "waiting": judged.waiting,
        "counted": counted,
    }
    told: dict[str, Any] = {}
    if (classes := judged.classes) is not None:
        arrays |= {"probabilities": classes.probabilities, "gold": classes.gold}
        told["labels"] = list(classes.labels)
    if (bounds := judged.bounds) is not None:
        arrays |= {"low": bounds.low, "high": bounds.high, "value": bounds.gold}
        told["level"] = bounds.level
    plain = {name: np.ascontiguousarray(each) for name, each in arrays.items()}
    told["arrays"] = [[n, a.dtype.newbyteorder("<").str, list(a.shape)] for n, a in plain.items()]
    body = b"".join(a.astype(a.dtype.newbyteorder("<")).tobytes() for a in plain.values())
    return zlib.compress(json.dumps(told).encode() + b"\n" + body, 1)


def unpacked(body: bytes) -> View:
    head, _, rest = zlib.decompress(body).partition(b"\n")
    told, at = _told(head), 0
    arrays: dict[str, Any] = {}
    for name, kind, shape in told["arrays"]:
        found = np.frombuffer(rest, kind, math.prod(shape), at)
        arrays[name] = found.reshape(shape).astype(kind.newbyteorder("="))
        at += found.nbytes
    classes = bounds = None
    if "labels" in told:
        classes = Classes(arrays["probabilities"], arrays["gold"], tuple(told["labels"]))
    if "level" in told:
        bounds = Bounds(arrays["low"], arrays["high"], arrays["value"], told["level"])
    plain = (arrays["correct"], arrays["confidence"], arrays["cluster"], classes, bounds)
    return Judged(*plain, arrays["waiting"]), arrays["counted"]


@lru_cache(maxsize=16)
def _told(head: bytes) -> Mapping[str, Any]:
    """What the line of JSON says, which is alike in most views of a task."""
    told = json.loads(head)
    arrays = [(name, np.dtype(kind), shape) for name, kind, shape in told["arrays"]]
    return {**told, "arrays": arrays}
