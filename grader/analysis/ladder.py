"""The calibration error at every resolution, each beside its floor."""

from grader.measures import find
from grader.model import Measure, Rung
from grader.resample import Resampler

WIDTHS = (1, 5, 10, 15, 20, 50, 100)
KEYS = (*(f"ece@{bins}" for bins in WIDTHS), "ecemass@10", "smece", "ecedistinct", "ks")


def ladder(part: Resampler) -> tuple[Rung, ...]:
    """One rung for each of KEYS, in that order: one number hides what cancels.

    part  has at least one instance
    """
    return tuple(_rung(find(key), part) for key in KEYS)


def _rung(measure: Measure, part: Resampler) -> Rung:
    value = measure(part.judged).value
    floor = part.floor(measure)
    if floor is None:
        return Rung(measure.key, value, reason="the task asks for no resamples")
    return Rung(measure.key, value, floor.mean, floor.q95)


def said(rung: Rung, digits: int) -> str:
    """What a rung says, in words; one more digit than the value's, so that both can be right.

    A floor that has no more digits is printed as it is.

    >>> said(Rung("ece@10", 0.04, 0.03, 0.0428), 3)
    'not distinguishable from calibrated at this n; more than 0.0428 would be'
    >>> said(Rung("ece@10", 0.06, 0.03, 0.0428), 3)
    'above what noise gives'
    """
    if rung.q95 is None:
        return f"no floor: {rung.reason}"
    if rung.above:
        return "above what noise gives"
    finer = round(rung.q95, digits) != rung.q95
    least = f"{rung.q95:.{digits + finer}f}"
    return f"not distinguishable from calibrated at this n; more than {least} would be"
