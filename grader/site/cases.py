"""Single cases on pages: what is dropped, disputed, and overlooked in a run."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grader.check import WAIVABLE
from grader.model import Dispute, Entry, Results
from grader.site.sheets import Contest


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many instances were dropped for a reason; ``post_hoc``: after scores were seen."""

    n: int
    reason: str
    post_hoc: bool


def dropped(results: Results) -> tuple[Dropped, ...]:
    """The dropped instances, counted by reason, in the order in which the reasons came up."""
    reasons = Counter((d.reason, d.post_hoc) for d in results.gold.drops)
    return tuple(Dropped(n, reason, post_hoc) for (reason, post_hoc), n in reasons.items())


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
