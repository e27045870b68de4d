"""Gold that is public, as a page and files: labels, judgements, runs instance by instance."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.commitment import committed
from grader.model import Entry, Itemised, OpenGold
from grader.site.cases import disputed, disputes
from grader.site.items import judgements, labels, table
from grader.site.sheets import Contest


@dataclass(frozen=True, slots=True)
class Shown:
    """A run that is shown instance by instance."""

    entry: Entry
    item: Itemised

    @property
    def address(self) -> str:
        return f"gold/{self.entry.slug}.csv"


def golds(contest: Contest) -> tuple[OpenGold, ...]:
    """The gold versions that are shown, the newest first."""
    return contest.now.results.golds[::-1]


def since(contest: Contest) -> OpenGold | None:
    """The gold version that the boards stand on, if it is public."""
    version = contest.now.results.gold.version
    found = (one for one in golds(contest) if one.gold.version == version and one.released)
    return next(found, None)


def runs(contest: Contest) -> tuple[Shown, ...]:
    """The runs that are shown instance by instance, phase by phase."""
    return tuple(
        Shown(entry, item)
        for on in contest.sheets
        for item in on.results.itemised
        for entry in on.results.entries
        if entry.slug == item.run
    )


def kept_back(contest: Contest) -> int:
    """How many other runs there are."""
    return sum(on.results.kept_back for on in contest.sheets)


def files(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """Yield every file that is linked from the page."""
    home = f"{contest.slug}/gold"
    for one in golds(contest):
        start = f"{home}/v{one.gold.version}"
        yield f"{start}.csv", labels(one).encode()
        if one.whole:
            yield f"{start}.json", committed(one.gold).encode("ascii")
        if one.judgements:
            yield f"{start}-judgements.csv", judgements(one).encode()
    for shown in runs(contest):
        first = {"run": shown.entry.slug, "team": shown.entry.team, "name": shown.entry.name}
        of = disputed(disputes(contest), shown.entry.slug)
        yield f"{contest.slug}/{shown.address}", table(shown.item, first, of).encode()
