"""Runs as measures see them, kept with their scores, so that a site need not read them again."""

import json
import math
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
_FORM = f"2 {__version__}"  # what another grader wrote is not read


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
    """A line of JSON that names the arrays, and what is stored of each, one after the other."""
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
    stored = [(name, each, *_small(each.ravel())) for name, each in arrays.items()]
    told["arrays"] = [
        [name, each.dtype.str[1:], list(each.shape), small.dtype.str, len(small), digits]
        for name, each, small, digits in stored
    ]
    return json.dumps(told).encode() + b"\n" + b"".join(s.tobytes() for _, _, s, _ in stored)


def _small(each: Any) -> tuple[Any, int]:  # noqa: ANN401, flags or numbers
    """The array as it is stored, and by which power of ten: whole numbers where these say all.

    Confidences have few decimals: divided again, whole numbers are the same to the last bit.
    """
    if each.dtype == np.bool_:
        return np.packbits(each), 0
    for digits in range(10 if each.dtype.kind == "f" else 1):
        with np.errstate(invalid="ignore", over="ignore"):
            whole = np.rint(each * 10**digits)
        for kind in ("<i1", "<i2", "<i4"):
            if each.size and np.abs(whole).max() <= np.iinfo(kind).max:
                small = whole.astype(kind)
                if _whole(small, each.dtype, digits).tobytes() == each.tobytes():
                    return small, digits
    return each.astype(each.dtype.newbyteorder("<")), 0


def _whole(small: Any, kind: Any, digits: int) -> Any:  # noqa: ANN401
    """The array again."""
    return np.divide(small, 10**digits, dtype=kind) if digits else small.astype(kind)


def unpacked(body: bytes) -> View:
    head, _, rest = body.partition(b"\n")
    told, at = _told(head), 0
    arrays: dict[str, Any] = {}
    for name, kind, shape, stored, many, digits in told["arrays"]:
        small = np.frombuffer(rest, stored, many, at)
        at += small.nbytes
        if kind == np.bool_:
            each = np.unpackbits(small, count=math.prod(shape)).view(kind)
        else:
            each = _whole(small, kind, digits)
        arrays[name] = each.reshape(shape)
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
    arrays = [
        (name, np.dtype(kind), shape, np.dtype(stored), many, digits)
        for name, kind, shape, stored, many, digits in told["arrays"]
    ]
    return {**told, "arrays": arrays}
