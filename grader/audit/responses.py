"""What stored runs say, read from their bytes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.grade import checked, content, overlooking
from grader.judge import judge, normalise, number
from grader.model import BoolArray, FloatArray, Gold, IntArray, Rejected, Run, Task, Upload


@dataclass(frozen=True)
class Responses:
    """What a run says, in gold order, shape (n,).

    answers  one number for each distinct answer of all runs that were read together
    right    whether it is right
    sure     the confidence; in an interval task the width of the interval
    counted  whether the instance is scored and was answered
    """

    run: str
    team: str
    withdrawn: bool
    answers: IntArray
    right: BoolArray
    sure: FloatArray
    counted: BoolArray
    content: str

    def levels(self, at: BoolArray) -> tuple[FloatArray, IntArray, IntArray]:
        """The distinct values of ``sure`` there, which each instance has, and how often each."""
        if np.array_equal(at, self.counted):
            return self._levels
        return np.unique(self.sure[at], return_inverse=True, return_counts=True)

    @cached_property
    def _levels(self) -> tuple[FloatArray, IntArray, IntArray]:
        return np.unique(self.sure[self.counted], return_inverse=True, return_counts=True)


def read(
    task: Task, gold: Gold, uploads: Iterable[tuple[str, Upload]]
) -> tuple[tuple[Responses, ...], dict[str, str]]:
    """What stored runs say, read from their bytes one at a time.

    returns  the runs, and why others could not be read, by their slug
    """
    found: list[Responses] = []
    unread: dict[str, str] = {}
    codes: dict[object, int] = {}
    for slug, upload in uploads:
        match checked(overlooking(task, upload.waived), gold, upload.payload):
            case Rejected() as no:
                unread[slug] = no.problems[0].message
            case run:
                answers = np.array([codes.setdefault(a, len(codes)) for a in _answers(task, run)])
                there = np.array([a is not None for a in run.answers], dtype=np.bool_)
                found.append(
                    Responses(
                        slug,
                        upload.team,
                        "withdrawn" in upload.flags,
                        answers.astype(np.intp),
                        judge(task, gold, run)[0],
                        _sure(task, run),
                        gold.scored & there,
                        content(run),
                    )
                )
    return tuple(found), unread


def _answers(task: Task, run: Run) -> Sequence[object]:
    """The answers, equal where the task holds them for the same; in an interval task the ends."""
    if task.kind == "interval":
        return [tuple(ends) for ends in run.bounds.tolist()]
    if task.answers == "normalised":
        return [a if a is None else normalise(a) for a in run.answers]
    if task.answers == "numeric":
        values = [None if a is None else number(a.strip()) for a in run.answers]
        return [a if v is None else v for a, v in zip(run.answers, values, strict=True)]
    return run.answers


def _sure(task: Task, run: Run) -> FloatArray:
    if task.kind != "interval":
        return run.confidence
    with np.errstate(invalid="ignore"):  # from inf to inf
        return np.nan_to_num(run.bounds[:, 1] - run.bounds[:, 0], nan=0.0, posinf=np.inf)
