"""Runs one above the other: what a measure sums of each is found once, for boards of any part."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.gate import staked
from grader.measures import within
from grader.model import BoolArray, FloatArray, IntArray, Judged, Measure, Sums, Undefined


@dataclass(frozen=True, slots=True)
class Stack:
    """Runs on the same instances in the same order, and which of both are looked at.

    ``rows`` are the places of these runs, ``at`` of these instances, in the order in which they
    are taken; ``part`` takes others, and copies nothing.

    runs      all that there are, on all instances
    features  shape (runs, k, n): what the measure sums, of a macro what it is a mean of; NaN
              where it has none
    correct   shape (runs, n)
    unsure    shape (runs, n): answers that nobody has judged yet, and stated certainties that
              the gate must look at
    """

    runs: tuple[Judged, ...]
    features: FloatArray
    correct: BoolArray
    unsure: BoolArray
    rows: IntArray
    at: IntArray

    @property
    def cluster(self) -> IntArray:
        """The cluster of each instance that is looked at."""
        cluster = self.runs[0].cluster
        return cluster[self.at] if cluster.size else np.arange(len(self.at))

    def part(self, rows: IntArray, at: IntArray) -> "Stack":
        """These runs on these instances."""
        return replace(self, rows=rows, at=at)

    def run(self, row: int) -> Judged:
        """The run of a row, on the instances that are looked at."""
        found: Judged = self.runs[self.rows[row]]
        return found.part(self.at)

    def block(self, start: int, end: int) -> FloatArray:
        """Shape (rows, k, n): the features of the rows from ``start`` up to ``end``."""
        rows = self.rows[start:end]
        found = np.empty((len(rows), self.features.shape[1], len(self.at)))
        for row, mine in zip(rows, found, strict=True):
            # Places are known to be there: what is out of range need not be looked for.
            np.take(self.features[row], self.at, axis=1, out=mine, mode="clip")
        return found


def stacked(runs: Sequence[Judged], measure: Measure) -> Stack:
    """The runs as a measure that has ``sums`` reads them, all of them on all their instances.

    raises  ValueError, for a measure that has none
    """
    inner = within(measure)
    if inner.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    correct = np.array([run.correct for run in runs])
    unsure = np.zeros_like(correct)
    features = np.empty((len(runs), 0, correct.shape[1]))
    for row, run in enumerate(runs):
        if run.waiting.size:
            unsure[row] |= run.waiting
        if inner.gate == "certainty":
            unsure[row] |= staked(inner, run)
        each = _features(inner.sums, run)
        if not features.size:
            features = np.full((len(runs), *each.shape), np.nan)
        if each.size:
            features[row] = each
    every = np.arange(len(runs)), np.arange(correct.shape[1])
    return Stack(tuple(runs), features, correct, unsure, *every)


def _features(sums: Sums, run: Judged) -> FloatArray:
    """Shape (k, n); k is 0 where the measure is undefined for the run."""
    try:
        with np.errstate(all="ignore"):  # a run has no numbers where it does not answer
            return sums.features(run).T
    except Undefined:
        return np.empty((0, len(run.correct)))
