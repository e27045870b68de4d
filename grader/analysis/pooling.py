"""Where a pooled AUROC comes from: pairs within a subset, and pairs across two."""

import numpy as np

from grader.model import BoolArray, Cross, FloatArray, IntArray, Judged, Pooling

MOST = 12  # subsets of which every pair is listed
NOWHERE = "(none)"  # instances that have no value in the dimension


def pooling(judged: Judged, dimension: str, values: tuple[str, ...], codes: IntArray) -> Pooling:
    """The decomposition of the AUROC over the ordered pairs of subsets of a dimension.

    A pair is a right answer of one subset and a wrong answer of another or the same; the AUROCs
    of the pairs of subsets, weighted by how many pairs of answers they hold, sum to the pooled
    AUROC exactly.

    judged  has right and wrong answers
    codes   shape (n,): the place in ``values``, −1 for none
    """
    names = values if (codes >= 0).all() else (*values, NOWHERE)
    codes = np.where(codes < 0, len(values), codes)
    sizes = np.bincount(codes, minlength=len(names))
    rights = np.bincount(codes[judged.correct], minlength=len(names))
    wrongs = sizes - rights
    listed = np.count_nonzero(sizes) <= MOST
    wins = _wins(judged, codes, len(names)) if listed else _diagonal(judged, codes, len(names))
    inside = Cross("", "", int(rights @ wrongs), float(np.trace(wins)))
    pairs = int(rights.sum()) * int(wrongs.sum())
    whole = float(_ahead(judged.confidence, judged.correct, judged.confidence, ~judged.correct))
    some = [i for i in range(len(names)) if sizes[i]]
    crosses = (
        Cross(names[a], names[b], int(rights[a]) * int(wrongs[b]), float(wins[a, b]))
        for a in some
        for b in some
        if listed or a == b
    )
    across = Cross("", "", pairs - inside.pairs, whole - inside.wins)
    return Pooling(dimension, int(sizes[some].min()), tuple(crosses), inside, across, bool(listed))


def _ahead(mine: FloatArray, right: BoolArray, theirs: FloatArray, wrong: BoolArray) -> np.float64:
    """How many pairs of a right one of mine and a wrong one of theirs have the right one surer."""
    return np.float64(_each(mine[right], theirs[wrong]).sum())


def _each(sure: FloatArray, below: FloatArray) -> FloatArray:
    """For each confidence the number of those below it, ties half. Multiples of ½: exact."""
    below = np.sort(below)
    left = np.searchsorted(below, sure, side="left")
    return np.asarray((left + np.searchsorted(below, sure, side="right")) / 2)


def _wins(judged: Judged, codes: IntArray, many: int) -> FloatArray:
    """Shape (many, many): wins of right answers (rows) over wrong ones (columns)."""
    found = np.zeros((many, many))
    sure, of = judged.confidence[judged.correct], codes[judged.correct]
    for b in range(many):
        wrong = judged.confidence[~judged.correct & (codes == b)]
        found[:, b] = np.bincount(of, _each(sure, wrong), many)
    return found


def _diagonal(judged: Judged, codes: IntArray, many: int) -> FloatArray:
    """As ``_wins``, only within each subset; of many subsets, so each is cut out once."""
    found = np.zeros((many, many))
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=many))
    for a, at in enumerate(np.split(order, ends[:-1])):
        right, sure = judged.correct[at], judged.confidence[at]
        found[a, a] = _ahead(sure, right, sure, ~right)
    return found


def warning(found: Pooling, digits: int) -> str:
    """What to beware of, in a sentence; empty if nothing."""
    if not found.trap or found.highest is None:
        return ""
    return (
        f"The pooled AUROC, {found.pooled:.{digits}f}, lies above that of every subset (at most "
        f"{found.highest:.{digits}f}): part of it comes from telling subsets apart, not right "
        "answers from wrong ones."
    )
