"""Single cases on pages: what is disputed, and what is overlooked in a run."""

from collections.abc import Iterable, Mapping

from grader.check import WAIVABLE
from grader.model import Dispute, Entry
from grader.site.sheets import Contest


def disputes(contest: Contest) -> tuple[Dispute, ...]:
    """The disputes of all phases of a task, in the order of their numbers."""
    every = {one.number: one for on in contest.sheets for one in on.results.disputes}
    return tuple(every[number] for number in sorted(every))


def about(contest: Contest, entry: Entry) -> tuple[Dispute, ...]:
    """The disputes about a run."""
    return tuple(one for one in disputes(contest) if one.run == entry.slug)


def disputed(every: Iterable[Dispute], run: str) -> Mapping[str, str]:
    """The instances of a run that are disputed, in it or in all runs: the numbers as text."""
    found: dict[str, list[str]] = {}
    for one in every:
        if one.instance is not None and one.run in (None, run):
            found.setdefault(one.instance, []).append(str(one.number))
    return {name: " ".join(numbers) for name, numbers in found.items()}


def overlooked(entry: Entry) -> tuple[str, ...]:
    """What of the content of a run is overlooked, for whoever scores its file."""
    return tuple(code for code in entry.waived if code in WAIVABLE)
