"""As of when pages speak: the last instant of what they show, not that at which they were made."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from grader.model import Dispute, Entry, Results
from grader.site.sheets import Sheet


def latest(sheets: Sequence[Sheet]) -> datetime | None:
    """The last instant at which something that the pages show of boards came about.

    When phases close is shown too, but is no such thing. Runs that only count are not in it: see
    ``newer``.
    """
    found = [at for on in sheets for at in _instants(on.results, on.results.disputes)]
    found += [at for on in sheets for entry in on.results.entries for at in _received(entry)]
    found += [at for on in sheets for at in _decided(on.results)]
    return max(found, default=None)


def latest_of(on: Sheet, entry: Entry) -> datetime:
    """The same for the page of one run: the runs of others are not on it."""
    mine = [one for one in on.results.disputes if one.run == entry.slug]
    return max(*_instants(on.results, mine), *_received(entry))


def newer(sheets: Sequence[Sheet]) -> str:
    """Which runs may have come after that, in words; empty: none.

    When they came is told to no reader, so that it can be said of them alone that they may.
    """
    found = {
        "whose scores are hidden": any(on.results.unseen for on in sheets),
        "under pseudonyms": any(on.results.veiled and on.taking_part for on in sheets),
    }
    return " and runs ".join(words for words, some in found.items() if some)


def _instants(results: Results, disputes: Sequence[Dispute]) -> Iterator[datetime]:
    yield results.gold.registered
    yield from (drop.when for drop in results.gold.drops)
    yield from (one.answered or one.opened for one in disputes)


def _received(entry: Entry) -> Iterator[datetime]:
    yield entry.received
    yield from (old.at for old in entry.amendments)


def _decided(results: Results) -> Iterator[datetime]:
    """Yield when organisers decided what pages tell of a task as a whole."""
    yield from (one.at for one in results.extensions)
    yield from (one.at for one in results.namings)
    yield from (version.registered for version in results.versions)
    yield from (one.released for one in results.golds if one.released is not None)
    for release in results.releases:
        yield release.at
        yield from (one.at for one in release.errata)
