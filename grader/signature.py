"""What a number depends on: the signature that a paper quotes, for it to be comparable."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256

import numpy as np

from grader.model import Score, Task
from grader.version import __version__

_RUN = re.compile(r"\|run:[^|]*")
REFUSING = ("names", "sources")  # keys of [run] that refuse a file, and change no number of one


def settings(task: Task, gold: str, run: str) -> str:
    """Everything beside a measure's key that a number depends on: the tail of its signature.

    gold  the version and its commitment, as ``v1:9f…``; ``unversioned`` for a file
    run   the SHA-256 of the run's bytes
    """
    tolerance = f"±{task.tolerance}" if task.answers == "numeric" else ""
    stated = f"interval {task.interval.level}" if task.kind == "interval" else ""
    parts = {
        "answers": stated or f"{task.answers}{tolerance}{_unit(task)}",
        "scale": task.confidence,
        "missing": task.missing,
        "precision": "full" if task.precision is None else task.precision,
        "cluster": task.gold.cluster or "none",
        "reading": _reading(task),
        "gold": gold,
        "run": f"sha256:{run}",
        "resamples": task.resampling.resamples,
        "seed": task.resampling.seed,
        "grader": __version__,
        "numpy": np.__version__,
    }
    if task.waived:
        parts["waived"] = ",".join(task.waived)
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _unit(task: Task) -> str:
    """What is judged once, in a judged task."""
    return f" by {task.judging.unit}" if task.answers == "judged" else ""


def _reading(task: Task) -> str:
    """A short digest of how a run is read, of the labels and of the refusals."""
    run = {k: v for k, v in asdict(task.run).items() if k not in REFUSING}
    text = json.dumps((task.abstain, task.labels, run), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:12]


def signature(score: Score, settings: str) -> str:
    """What a paper quotes for a number to be comparable: measure, version and settings."""
    return f"{score.measure}|version:{score.version}|{settings}"


def shared(each: Iterable[str]) -> str:
    """The settings of several runs without the run; what differs among them is ``several``.

    >>> shared(["gold:v1|run:sha256:9f|seed:1", "gold:v1|run:sha256:a0|seed:2"])
    'gold:v1|seed:several'
    """
    found = dict.fromkeys(_RUN.sub("", one) for one in each)
    pieces = zip(*(one.split("|") for one in found), strict=False)
    return "|".join(
        piece[0] if len(set(piece)) == 1 else f"{piece[0].partition(':')[0]}:several"
        for piece in pieces
    )
