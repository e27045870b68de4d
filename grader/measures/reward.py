"""HMR and the rewards it is made of: is a run neither over- nor underconfident?"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.measures.plain import accuracy
from grader.model import Cells, FloatArray, Judged, Measure, Parameter, Sums, once

_SOURCE = (
    "Sakai, Evaluating System Responses Based On Overconfidence and Underconfidence, EMTCIR 2024"
)
NOTHING_WRONG = "nothing is wrong: R_O is 1 by convention"
NOTHING_RIGHT = "nothing is right: R_U is 1 by convention"


@once
def r_o(cells: Cells) -> FloatArray:
    """Reward for suppressing overconfidence: 1 less the mean confidence of the wrong answers.

    returns  in [0, 1]; 1 by convention when nothing is wrong

    Sakai, EMTCIR 2024, equations 5 and 7.

    Undefined without instances.
    """
    wrongs = cells.wrongs
    return 1.0 - np.divide(cells.sure_wrong, wrongs, out=np.zeros_like(wrongs), where=wrongs > 0)


@once
def r_u(cells: Cells) -> FloatArray:
    """Reward for suppressing underconfidence: the mean confidence of the right answers.

    returns  in [0, 1]; 1 by convention when nothing is right

    Sakai, EMTCIR 2024, equations 6 and 7.

    Undefined without instances.
    """
    rights = cells.rights
    return np.divide(cells.sure_right, rights, out=np.ones_like(rights), where=rights > 0)


@once
def hmr(cells: Cells, *, beta: float = 1.0) -> FloatArray:
    """Harmonic mean of the two rewards, underconfidence ``beta`` times as important.

    beta     from 0 (R_O alone) to inf (R_U alone)
    returns  in [0, 1], 0 if both rewards are

    (1 + b²)·R_O·R_U / (b²·R_O + R_U): Sakai, EMTCIR 2024, equation 8.

    Undefined without instances.

    >>> right, wrong = np.array([[0, 1.0, 1.0]]), np.array([[1.0, 0, 0]])
    >>> round(hmr(Cells(np.array([0.5, 0.7, 0.9]), right, wrong)).item(), 4)
    0.6154
    """
    over, under = r_o(cells), r_u(cells)
    if beta == 0 or math.isinf(beta):
        return under if beta else over
    weight = beta * beta
    down = weight * over + under
    up = (1 + weight) * over * under
    return np.minimum(np.divide(up, down, out=np.zeros_like(up), where=down > 0), 1.0)


def acchmr(cells: Cells) -> FloatArray:
    """Accuracy times HMR, an R2C2 participant's proposal: in [0, 1].

    Undefined without instances.
    """
    return accuracy(cells) * hmr(cells)


def _features(judged: Judged) -> FloatArray:
    right = judged.correct.astype(np.float64)
    sure = judged.confidence
    return np.stack((np.ones_like(right), right, right * sure, (1 - right) * sure), axis=1)


def _over(sums: Any) -> Any:  # noqa: ANN401, real or complex
    return 1 - sums[..., 3] / (sums[..., 0] - sums[..., 1])


def _under(sums: Any) -> Any:  # noqa: ANN401
    return sums[..., 2] / sums[..., 1]


def _harmonic(weight: float) -> Callable[[Any], Any]:
    def value(sums: Any) -> Any:  # noqa: ANN401
        over, under = _over(sums), _under(sums)
        up, down = (1 + weight) * over * under, weight * over + under
        # Both rewards are 0, in every resample too: so is their mean, without any slope.
        return np.divide(up, down, out=np.zeros_like(up), where=down != 0)

    return value


def reward_sums(beta: float = 1.0) -> Sums:
    """HMR as a function of n and the sums of right, right·confidence, wrong·confidence."""
    if beta == 0 or math.isinf(beta):
        return Sums(_features, _under if beta else _over)
    return Sums(_features, _harmonic(beta * beta))


def _sides(cells: Cells, *, beta: float = 1.0) -> tuple[str, dict[str, float]]:
    """The conventions that decided a value, and how many answers each reward is a mean of."""
    wrong, right = int(cells.wrongs[0]), int(cells.rights[0])
    notes = [] if wrong or math.isinf(beta) else [NOTHING_WRONG]
    notes += [] if right or not beta else [NOTHING_RIGHT]
    return "; ".join(notes), {"right": right, "wrong": wrong}


HMR = Measure(
    key="hmr",
    title="HMR",
    fn=hmr,
    sums=reward_sums(),
    sums_of=reward_sums,
    remark=_sides,
    sides=10,
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="Harmonic mean of R_O and R_U: high when a run doubts its wrong answers and trusts its "
    "right ones. It never rises when the confidence of a right answer is lowered or that of a "
    "wrong one raised. HMR@b weighs underconfidence b times as much.",
    source=f"{_SOURCE}, equation 8",
    parameter=Parameter("weight beta", "weight", "2", required=False),
)
R_O = Measure(
    key="r_o",
    title="R_O",
    fn=r_o,
    sums=reward_sums(0.0),
    remark=lambda c: _sides(c, beta=0.0),
    sides=10,
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="Reward for suppressing overconfidence: 1 less the mean confidence of the wrong "
    "answers. 1 by convention when nothing is wrong.",
    source=f"{_SOURCE}, equations 5 and 7",
)
R_U = Measure(
    key="r_u",
    title="R_U",
    fn=r_u,
    sums=reward_sums(math.inf),
    remark=lambda c: _sides(c, beta=math.inf),
    sides=10,
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="Reward for suppressing underconfidence: the mean confidence of the right answers. "
    "1 by convention when nothing is right.",
    source=f"{_SOURCE}, equations 6 and 7",
)
ACCHMR = Measure(
    key="acchmr",
    title="Acc·HMR",
    fn=acchmr,
    sums=Sums(_features, lambda s: s[..., 1] / s[..., 0] * _harmonic(1.0)(s)),
    remark=_sides,
    sides=10,
    ordered=True,
    better="higher",
    bounds=(0, 1),
    version=2,
    about="Accuracy times HMR: HMR alone can be high for a run that is seldom right.",
    source="arXiv 2609.37993",
)
