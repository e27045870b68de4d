"""Stored runs as one judge sees them, and as the rule does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader import store
from grader.grade import checked, overlooking, part_of
from grader.judging.resolution import Votes
from grader.judging.units import units
from grader.model import BoolArray, Gold, IntArray, Judged, Rejected, Task, Unit
from grader.scoring import seen
from grader.store import Connection

UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class View:
    """A run, whole and in gold order.

    ``units`` are what is to be judged of it, ``judged`` what holds by the rule, and ``counted``
    says which instances count.
    """

    units: tuple[Unit | None, ...]
    judged: Judged
    counted: BoolArray

    def under(self, votes: Votes, judge: str) -> IntArray:
        """Shape (n,): whether each answer is right (1) or wrong (0) by a judge's word alone.

        UNKNOWN where the judge said nothing of it, or that the question is bad. What is not
        judged, a refusal or what is not there, is as it is.
        """
        words = [None if u is None else votes.get(u, {}).get(judge) for u in self.units]
        codes = {"right": 1, "wrong": 0}
        return np.array(
            [
                0 if unit is None else codes.get(word or "", UNKNOWN)
                for unit, word in zip(self.units, words, strict=True)
            ],
            dtype=np.intp,
        )


def views_of(db: Connection, task: Task, gold: Gold, runs: Sequence[str]) -> Mapping[str, View]:
    """Stored runs, read from their bytes one at a time; such as cannot be read are left out."""
    found: dict[str, View] = {}
    for slug in runs:
        upload = store.payload(db, task.slug, slug)
        its = overlooking(task, upload.waived)
        match checked(its, gold, upload.payload):
            case Rejected():
                continue
            case run:
                judged, counted, _ = seen(its, part_of(task, gold, upload.phase), run)
                found[slug] = View(units(task, gold, run), judged, counted)
    return found
