"""What bias and the rewards say of a run, in words."""

from grader.ends import percentile
from grader.gate import NO_RESAMPLES, units, unsound
from grader.measures import find
from grader.model import Verdict
from grader.resample import Resampler


def verdict(part: Resampler) -> Verdict:
    """Both rewards, and the percentile interval of R_U − R_O where it is sound.

    Above 0 the run doubts its wrong answers less than it trusts its right ones.

    part  has at least one instance
    """
    over, under, hmr = (find(key)(part.judged) for key in ("r_o", "r_u", "hmr"))
    reason = unsound(find("hmr"), part.judged) or ("" if part.resamples else NO_RESAMPLES)
    if reason:
        return Verdict(over.value, under.value, hmr.value, reason=reason, note=hmr.note)
    apart = part.values(find("r_u"), under.value) - part.values(find("r_o"), over.value)
    low, high = percentile(apart, units(part.judged))
    return Verdict(over.value, under.value, hmr.value, low, high, note=hmr.note)


def words(found: Verdict, digits: int) -> str:
    """What the rewards say of a run, without a full stop, at the shown digits.

    It is no verdict on calibration: of honest confidences, too, R_U is above R_O where most
    answers are right. If confidences are spread evenly over 0.6 to 1, and as often right as they
    say, R_O is 4/15 and R_U 49/60.

    >>> words(Verdict(0.5, 0.75, 0.6, 0.1, 0.4), 2)
    'trusts its right answers more than it doubts its wrong ones'
    >>> words(Verdict(0.75, 0.5, 0.6, -0.5, 0.1), 2)
    'doubts its wrong answers more than it trusts its right ones, but not surely at this n'
    >>> words(Verdict(0.501, 0.499, 0.5, note="nothing is wrong: R_O is 1 by convention"), 2)
    'doubts its wrong answers as much as it trusts its right ones'
    """
    trusts, doubts = "trusts its right", "doubts its wrong"
    if f"{found.r_o:.{digits}f}" == f"{found.r_u:.{digits}f}":
        return f"{doubts} answers as much as it {trusts} ones"
    first, second = (trusts, doubts) if found.r_o < found.r_u else (doubts, trusts)
    said = f"{first} answers more than it {second} ones"
    if found.low is None or found.high is None:
        return f"{said}, though nothing says how surely"
    if found.low <= 0 <= found.high:
        return f"{said}, but not surely at this n"
    return said


def leaning(value: float, low: float | None, high: float | None, digits: int) -> str:
    """Which way a run errs on the whole, by its bias and the ends of its interval, as shown.

    >>> leaning(0.12, 0.05, 0.2, 2), leaning(-0.12, None, None, 2), leaning(0.12, -0.05, 0.2, 2)
    ('overconfident', 'underconfident', 'neither surely over- nor surely underconfident')
    >>> leaning(0.001, None, None, 2)
    'neither over- nor underconfident'
    """
    if not round(value, digits):
        return "neither over- nor underconfident"
    if low is not None and high is not None and low <= 0 <= high:
        return "neither surely over- nor surely underconfident"
    return "overconfident" if value > 0 else "underconfident"
