"""HMR and the rewards it is made of: is a run neither over- nor underconfident?"""

import math

import numpy as np  # noqa: F401, for the doctests

from grader.measures.plain import counted
from grader.model import Found, Judged, Measure, Parameter

_SOURCE = (
    "Sakai, Evaluating System Responses Based On Overconfidence and Underconfidence, EMTCIR 2024"
)
NOTHING_WRONG = "nothing is wrong: R_O is 1 by convention"
NOTHING_RIGHT = "nothing is right: R_U is 1 by convention"


def r_o(judged: Judged) -> Found:
    """Reward for suppressing overconfidence: 1 less the mean confidence of the wrong answers.

    judged   correct and confidence, shape (n,)
    returns  in [0, 1]; 1 by convention, with a note, when nothing is wrong
    raises   Undefined, if n is 0

    Sakai, EMTCIR 2024, equations 5 and 7.

    >>> r_o(Judged(np.array([True, False, False]), np.array([0.9, 0.5, 0.25]))).value
    0.625
    """
    counted(judged)
    wrong = judged.confidence[~judged.correct]
    if not wrong.size:
        return Found(1.0, NOTHING_WRONG, {"wrong": 0})
    return Found(1.0 - float(wrong.mean()), details={"wrong": wrong.size})


def r_u(judged: Judged) -> Found:
    """Reward for suppressing underconfidence: the mean confidence of the right answers.

    judged   correct and confidence, shape (n,)
    returns  in [0, 1]; 1 by convention, with a note, when nothing is right
    raises   Undefined, if n is 0

    Sakai, EMTCIR 2024, equations 6 and 7.

    >>> r_u(Judged(np.array([True, True, False]), np.array([0.9, 0.7, 0.5]))).value
    0.8
    """
    counted(judged)
    right = judged.confidence[judged.correct]
    if not right.size:
        return Found(1.0, NOTHING_RIGHT, {"right": 0})
    return Found(float(right.mean()), details={"right": right.size})


def hmr(judged: Judged, *, beta: float = 1.0) -> Found:
    """Harmonic mean of the two rewards, underconfidence ``beta`` times as important.

    judged   correct and confidence, shape (n,)
    beta     from 0 (R_O alone) to inf (R_U alone)
    returns  in [0, 1], 0 if both rewards are; the notes of the rewards' conventions
    raises   Undefined, if n is 0

    (1 + b²)·R_O·R_U / (b²·R_O + R_U): Sakai, EMTCIR 2024, equation 8.

    >>> round(hmr(Judged(np.array([True, True, False]), np.array([0.9, 0.7, 0.5]))).value, 4)
    0.6154
    """
    over, under = r_o(judged), r_u(judged)
    note = "; ".join(x.note for x in (over, under) if x.note)
    details = {**over.details, **under.details}
    if beta == 0 or math.isinf(beta):
        return Found((under if beta else over).value, note, details)
    weight, down = beta * beta, beta * beta * over.value + under.value
    value = (1 + weight) * over.value * under.value / down if down > 0 else 0.0
    return Found(min(value, 1.0), note, details)


def acchmr(judged: Judged) -> Found:
    """Accuracy times HMR, an R2C2 participant's proposal: in [0, 1], Undefined if n is 0."""
    both = hmr(judged)
    return Found(float(judged.correct.mean()) * both.value, both.note, both.details)


HMR = Measure(
    key="hmr",
    title="HMR",
    fn=hmr,
    better="higher",
    bounds=(0, 1),
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
    better="higher",
    bounds=(0, 1),
    about="Reward for suppressing overconfidence: 1 less the mean confidence of the wrong "
    "answers. 1 by convention when nothing is wrong.",
    source=f"{_SOURCE}, equations 5 and 7",
)
R_U = Measure(
    key="r_u",
    title="R_U",
    fn=r_u,
    better="higher",
    bounds=(0, 1),
    about="Reward for suppressing underconfidence: the mean confidence of the right answers. "
    "1 by convention when nothing is right.",
    source=f"{_SOURCE}, equations 6 and 7",
)
ACCHMR = Measure(
    key="acchmr",
    title="Acc·HMR",
    fn=acchmr,
    better="higher",
    bounds=(0, 1),
    about="Accuracy times HMR: HMR alone can be high for a run that is seldom right.",
    source="arXiv 2609.37993",
)
