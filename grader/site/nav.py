"""Which pages a task has: the one place that knows, for what is made and for what links to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.site import comparing, history, judging, released
from grader.site.sheets import Contest

# Pages that not every task has, and which tasks have them.
_WHERE: Mapping[str, Callable[[Contest], object]] = {
    "compare.html": comparing.comparable,
    "gold.html": released.golds,
    "history.html": history.told,
    "judging.html": judging.told,
}
# What a task's navigation offers, in its order.
_TITLES = {
    "index.html": "Board",
    "pictures.html": "Pictures",
    "compare.html": "Compare",
    "history.html": "History",
    "participate.html": "Participate",
    "versions.html": "Versions",
}


@dataclass(frozen=True, slots=True)
class Way:
    """A page of a task: its address within the task's folder, and its title."""

    address: str
    title: str


def has(contest: Contest, name: str) -> bool:
    """Whether a task has the page of that name, within its folder."""
    asked = _WHERE.get(name)
    return asked is None or bool(asked(contest))


def ways(contest: Contest) -> tuple[Way, ...]:
    """The pages that a task's navigation leads to."""
    return tuple(Way(name, title) for name, title in _TITLES.items() if has(contest, name))
