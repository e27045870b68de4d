"""Does higher confidence mean more often right?"""

import numpy as np

from grader.measures.plain import counted
from grader.model import Found, Judged, Measure, Undefined


def auroc(judged: Judged) -> Found:
    """The chance that a right instance has the higher confidence than a wrong one, ties ½.

    judged   correct and confidence, shape (n,)
    returns  in [0, 1]
    raises   Undefined, if n is 0, or all are right, or all are wrong

    >>> auroc(Judged(np.array([True, True, False]), np.array([0.9, 0.5, 0.5]))).value
    0.75
    """
    n = counted(judged)
    right = int(judged.correct.sum())
    if right in (0, n):
        raise Undefined(f"no {'wrong' if right else 'right'} answers: nothing to tell apart")
    _, which, size = np.unique(judged.confidence, return_inverse=True, return_counts=True)
    ones = np.bincount(which, judged.correct)
    zeros = size - ones
    below = np.cumsum(zeros) - zeros
    return Found(float((ones * (below + zeros / 2)).sum() / (right * (n - right))))


AUROC = Measure(
    key="auroc",
    title="AUROC",
    fn=auroc,
    better="higher",
    bounds=(0, 1),
    about="The chance that a right answer has the higher confidence than a wrong one; ties count "
    "half. Undefined when everything is right or everything is wrong.",
)
