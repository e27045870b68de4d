"""Is a run more over- or underconfident? R_O and R_U, compared and said in words."""

from grader.ends import percentile
from grader.gate import NO_RESAMPLES, units, unsound
from grader.measures import find
from grader.model import Verdict
from grader.resample import Resampler


def verdict(part: Resampler) -> Verdict:
    """Both rewards, and the percentile interval of R_U − R_O where it is sound.

    Above 0 the run doubts its wrong answers less than it trusts its right ones: it is more
    overconfident than underconfident.

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
    """The verdict as a sentence without its full stop, at the shown digits.

    >>> words(Verdict(0.5, 0.75, 0.6, 0.1, 0.4), 2)
    'more overconfident than underconfident'
    >>> words(Verdict(0.5, 0.75, 0.6, -0.1, 0.4), 2)
    'not surely the one or the other at this n; if anything more overconfident than underconfident'
    >>> words(Verdict(0.501, 0.499, 0.5, note="nothing is wrong: R_O is 1 by convention"), 2)
    'as overconfident as underconfident'
    """
    if f"{found.r_o:.{digits}f}" == f"{found.r_u:.{digits}f}":
        return "as overconfident as underconfident"
    sides = ("overconfident", "underconfident")
    first, second = sides if found.r_o < found.r_u else sides[::-1]
    said = f"more {first} than {second}"
    if found.low is None or found.high is None:
        return f"if anything {said}"
    if found.low <= 0 <= found.high:
        return f"not surely the one or the other at this n; if anything {said}"
    return said
