"""The three means that every reader asks for first."""

import numpy as np

from grader.model import Cells, FloatArray, Measure, mean_of

_LICHTENSTEIN = (
    "Lichtenstein and Fischhoff, Do Those Who Know More Also Know More about How Much They Know?, "
    "Organizational Behavior and Human Performance 1977"
)


def accuracy(cells: Cells) -> FloatArray:
    """The share of right answers, in [0, 1].

    Undefined without instances.

    >>> accuracy(Cells(np.array([0.5, 0.9]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.5
    """
    return cells.rights / cells.n


def confidence(cells: Cells) -> FloatArray:
    """The mean confidence, in [0, 1].

    Undefined without instances.

    >>> confidence(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.75
    """
    return (cells.sure_right + cells.sure_wrong) / cells.n


def bias(cells: Cells) -> FloatArray:
    """Mean confidence less accuracy, in [-1, 1]; above 0 is overconfident.

    Undefined without instances.

    >>> bias(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.25
    """
    return confidence(cells) - accuracy(cells)


ACCURACY = Measure(
    key="accuracy",
    title="Accuracy",
    fn=accuracy,
    sums=mean_of(lambda j: j.correct.astype(np.float64)),
    interval="wilson",
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="The share of right answers.",
    source=_LICHTENSTEIN,
)
CONFIDENCE = Measure(
    key="confidence",
    title="Mean confidence",
    fn=confidence,
    sums=mean_of(lambda j: j.confidence),
    ordered=True,
    better="none",
    bounds=(0, 1),
    version=2,
    about="The mean confidence, right or wrong.",
    source=_LICHTENSTEIN,
)
BIAS = Measure(
    key="bias",
    title="Bias",
    fn=bias,
    sums=mean_of(lambda j: j.confidence - j.correct),
    sides=10,
    ordered=True,
    better="none",
    bounds=(-1, 1),
    version=2,
    about="Mean confidence less accuracy: above 0 the run is overconfident on the whole, below 0 "
    "underconfident. Opposite errors cancel.",
    source="NTCIR R2C2, where it is called OB",
)
