"""What a team may be told of the others, instance by instance."""

from collections.abc import Iterable, Mapping

import numpy as np

from grader.board.limits import FEW
from grader.model import Field, FloatArray, Itemised

DECIMALS = 1  # of the others' rewards


def field_of(official: Mapping[str, Itemised], reader: str) -> Field:
    """The others' figures on each instance, so that they are nobody's own.

    Of at least FEW other teams that are known on the instance. Where all or all but one of them
    are right, or wrong, it is not told which: it would say so of each. The lowest and the highest
    reward are left out for the same reason, and the rest has DECIMALS.

    official  one run of each team, all of the same instances
    reader    the team that is told; its own run is not in it
    """
    others = [one for team, one in official.items() if team != reader]
    if len(others) < FEW:
        return Field(len(others), why=f"fewer than {FEW} other teams are ranked: nothing is told")
    right, known = _counts(one.correct for one in others)
    pairs = zip(right.tolist(), known.tolist(), strict=True)
    return Field(
        len(others),
        tuple(_said(r, n) if n >= FEW else "" for r, n in pairs),
        *_inner(np.stack([one.reward for one in others])),
    )


def _counts(each: Iterable[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """How many teams are right on each instance, and of how many it is known."""
    table = np.stack(tuple(each))
    return np.nansum(table, axis=0), (~np.isnan(table)).sum(axis=0)


def _said(right: float, of: int) -> str:
    """How many are right, without saying it of all.

    >>> [_said(r, 5) for r in range(6)][::2], _said(5, 5)
    (['at most 1 of 5', '2 of 5', 'at least 4 of 5'], 'at least 4 of 5')
    """
    if right <= 1:
        return f"at most 1 of {of}"
    if right >= of - 1:
        return f"at least {of - 1} of {of}"
    return f"{right:.0f} of {of}"


def _inner(rewards: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The least, median and most of each column without its lowest and highest; NaN of too few.

    rewards  shape (teams, n), NaN where unknown
    """
    order = np.sort(rewards, axis=0)  # NaN stands last
    known = (~np.isnan(rewards)).sum(axis=0)
    at = np.arange(rewards.shape[1])

    def place(k: FloatArray) -> FloatArray:
        inside = np.clip(k, 0, len(rewards) - 1).astype(np.intp)
        return np.asarray(np.where(known >= FEW, order[inside, at], np.nan))

    middle = (place((known - 1) // 2) + place(known // 2)) / 2
    found = (place(np.ones_like(known)), middle, place(known - 2))
    low, median, high = (np.round(values, DECIMALS) for values in found)
    return low, median, high
