"""Does higher confidence mean more often right?"""

import numpy as np

from grader.model import Cells, FloatArray, Measure


def auroc(cells: Cells) -> FloatArray:
    """The chance that a right instance has the higher confidence than a wrong one, ties ½.

    returns  in [0, 1]; NaN if all are right or all are wrong

    Undefined without instances.

    >>> level, right = np.array([0.5, 0.9]), np.array([[1.0, 1.0]])
    >>> auroc(Cells(level, right, np.array([[1.0, 0]]))).item()
    0.75
    """
    pairs = cells.rights * cells.wrongs
    above = np.einsum("bk,bk->b", cells.right, cells.below[:, :-1])
    tied = np.einsum("bk,bk->b", cells.right, cells.wrong) / 2 if cells.tied else 0.0
    nothing = np.full_like(pairs, np.nan)
    return np.asarray(np.divide(above + tied, pairs, out=nothing, where=pairs > 0))


AUROC = Measure(
    key="auroc",
    title="AUROC",
    fn=auroc,
    sides=10,
    undefined=lambda c: f"no {'wrong' if c.rights[0] else 'right'} answers: nothing to tell apart",
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="The chance that a right answer has the higher confidence than a wrong one; ties count "
    "half. Undefined when everything is right or everything is wrong.",
    source="Hanley and McNeil, The Meaning and Use of the Area under a Receiver Operating "
    "Characteristic (ROC) Curve, Radiology 1982",
)
