"""Two works measured side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: seconds of ours and of the reference, their ratio, and what it should reach."""

    work: str
    ours_s: float
    reference: str
    reference_s: float
    ratio: float
    reach: str
    holds: bool | None


def alternate(
    ours: Callable[[], object], reference: Callable[[], object], repeats: int = 5
) -> tuple[float, float]:
    """The least seconds of each, taken in turns after one warm-up of both."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(repeats + 1):
        for work, kept in zip((ours, reference), times, strict=True):
            start = perf_counter()
            work()
            if turn:
                kept.append(perf_counter() - start)
    return min(times[0]), min(times[1])


def at_most(
    work: str, ours: Callable[[], object], reference: tuple[str, Callable[[], object]], most: float
) -> Row:
    """A row that holds if ours takes at most ``most`` times the reference."""
    name, other = reference
    mine, theirs = alternate(ours, other)
    return Row(work, mine, name, theirs, mine / theirs, f"≤ {most:g} ×", mine / theirs <= most)


def at_least(
    work: str,
    ours: Callable[[], object],
    reference: tuple[str, Callable[[], object], float],
    least: float,
    repeats: int = 5,
) -> Row:
    """A row that holds if the reference takes at least ``least`` times as long as ours.

    reference  its name, itself, and the share of the work that it does: the rest is extrapolated
    """
    name, other, share = reference
    mine, part = alternate(ours, other, repeats)
    theirs = part / share
    ratio = theirs / mine
    return Row(work, mine, name, theirs, ratio, f"≥ {least:g} × faster", ratio >= least)
