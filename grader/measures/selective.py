"""What is gained by answering only where the run is sure: selective answering."""

from fractions import Fraction
from functools import cache

import numpy as np

from grader.model import Cells, FloatArray, Measure, Parameter, harmonic, once

_GEIFMAN = "Geifman, Uziel and El-Yaniv, Bias-Reduced Uncertainty Estimation, ICLR 2019"


@once
def aurc(cells: Cells) -> FloatArray:
    """Area under the risk-coverage curve, in [0, 1]; expectation over the orders of ties.

    The mean over k = 1 … n of (expected wrong among the k most confident) / k.

    Undefined without instances.

    >>> aurc(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.25
    """
    return np.asarray(np.clip(cells.risks / cells.n, 0.0, 1.0))


def eaurc(cells: Cells) -> FloatArray:
    """``aurc`` less the least it can be at this accuracy (all right ones surest), in [0, 1].

    Undefined without instances.

    >>> eaurc(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.0
    """
    rights, n = cells.rights, cells.n
    of_n, of_rights = harmonic(np.stack((n, rights)))
    least = (n - rights - rights * (of_n - of_rights)) / n
    return np.asarray(np.maximum(aurc(cells) - least, 0.0))


def augrc(cells: Cells) -> FloatArray:
    """As ``aurc``, each term divided by n instead of k, in [0, 1].

    Undefined without instances.

    >>> augrc(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.25
    """
    n, wrongs = cells.n, cells.wrongs
    # Σ over a block of W + j·wrong/size, j = 1 … size, where W are surer and wrong.
    if not cells.tied:
        return np.asarray((n * wrongs - cells.below[:, :-1].sum(axis=1)) / np.square(n))
    within = (np.einsum("bk,bk->b", cells.wrong, cells.size) + wrongs) / 2
    area = n * wrongs - np.einsum("bk,bk->b", cells.size, cells.below[:, 1:]) + within
    return np.asarray(area / np.square(n))


@cache
def _share(percent: float) -> Fraction:
    return Fraction(str(percent)) / 100


@once
def _kept(cells: Cells, percent: float) -> FloatArray:
    """Shape (B,): ceil(percent · n / 100), by rational arithmetic."""
    share = _share(percent)
    return np.array([float(-(-round(n) * share.numerator // share.denominator)) for n in cells.n])


def selacc(cells: Cells, *, percent: float) -> FloatArray:
    """Expected accuracy of the ``percent`` % most confident (rounded up) over orders of ties.

    percent  above 0, at most 100
    returns  in [0, 1]

    Undefined without instances.
    """
    kept = _kept(cells, percent)
    left = cells.reading(cells.below, (cells.n - kept)[:, None])[:, 0]
    return np.asarray(np.clip(1.0 - (cells.wrongs - left) / kept, 0.0, 1.0))


def _threshold(cells: Cells, *, percent: float) -> tuple[str, dict[str, float]]:
    kept = _kept(cells, percent)[0]
    last = int(np.searchsorted(cells.place[0], cells.n[0] - kept, side="right")) - 1
    return "", {"kept": int(kept), "threshold": float(cells.level[last])}


AURC = Measure(
    key="aurc",
    title="AURC",
    fn=aurc,
    sides=10,
    ordered=True,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Area under the risk-coverage curve: the mean error rate of the k most confident "
    "answers, over all k; expectation over the orders of ties.",
    source=_GEIFMAN,
)
EAURC = Measure(
    key="eaurc",
    title="E-AURC",
    fn=eaurc,
    sides=20,
    ordered=True,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="AURC less the least it can be at this accuracy, with every right answer surer than "
    "every wrong one.",
    source=_GEIFMAN,
)
AUGRC = Measure(
    key="augrc",
    title="AUGRC",
    fn=augrc,
    sides=10,
    ordered=True,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Area under the generalised risk-coverage curve: as AURC, but each term is divided by "
    "n, so that the surest few do not weigh most.",
    source="Traub et al., Overcoming Common Flaws in the Evaluation of Selective Classification, "
    "NeurIPS 2024",
)
SELACC = Measure(
    key="selacc",
    title="Selective accuracy",
    fn=selacc,
    sides=10,
    remark=_threshold,
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="Expected accuracy of the q % most confident answers (rounded up), over the orders of "
    "ties, with the confidence down to which that goes.",
    source="Geifman and El-Yaniv, Selective Classification for Deep Neural Networks, NeurIPS 2017",
    parameter=Parameter("percent", "percent", "80"),
)
