"""What pages say of gold versions: what each changed, and the ranks with dropped instances."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.board import changes, common, differences, lead, rank, shown
from grader.model import Difference, Drop, Entry, Measure, Reinstated, Results, Version
from grader.sensitivity import MOST as ALONE
from grader.site.sheets import Contest, Sheet

__all__ = ["ALONE", "LISTED", "back", "latest", "steps"]

MOST = 12  # runs that are named of a dropped instance
LISTED = 40  # ids that are named of a version


@dataclass(frozen=True, slots=True)
class Turn:
    """A run on the whole board, as printed, before and after a gold version."""

    entry: Entry
    before: str
    after: str
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True, slots=True)
class Turns:
    """The runs of a phase (``on``) that a gold version moved, of ``n`` scored under both.

    ``why`` there is nothing to show; else empty.
    """

    on: Sheet
    n: int
    turns: tuple[Turn, ...]
    why: str = ""

    @property
    def measure(self) -> Measure:
        """The one that ranks."""
        return lead(self.on.results)


@dataclass(frozen=True, slots=True)
class Step:
    """A gold version: what it ``changed`` in words, and what that moved in each phase."""

    version: Version
    changed: tuple[str, ...]
    boards: tuple[Turns, ...]


@dataclass(frozen=True, slots=True)
class Back:
    """A dropped instance, and which runs would have another rank if it counted, in words.

    ``more`` runs would too. The ranks are ``exact``, or such as might be, whoever is right on
    the instance (``open``), or not to be told (``secret``).
    """

    drop: Drop
    moved: tuple[tuple[Entry, str], ...]
    more: int
    kind: Literal["exact", "open", "secret"]


def steps(contest: Contest) -> tuple[Step, ...]:
    """The gold versions of a task, the newest first."""
    known = contest.now.results.versions
    return tuple(
        Step(version, changes(version), tuple(_boards(contest, version) if i else ()))
        for i, version in reversed(list(enumerate(known)))
    )


def latest(contest: Contest) -> Step | None:
    """The version that boards stand on, without what it moved; None if it is the first."""
    known = contest.now.results.versions
    return Step(known[-1], changes(known[-1]), ()) if len(known) > 1 else None


def _boards(contest: Contest, version: Version) -> Iterator[Turns]:
    for on in contest.sheets:
        results = on.results
        if results.unseen is not None:
            continue
        before = _under(results, version.version - 1)
        after = _under(results, version.version)
        if before is None or after is None:
            many = "were not public while it stood; they are shown when the gold is released"
            which = version.version - (before is None)
            yield Turns(on, 0, (), f"The scores under version {which} {many}.")
            continue
        was, now, _ = common(before, after)
        if each := differences(was, now, ("all",)):
            yield Turns(on, len(each), tuple(_turns(each, was, now)))


def _under(results: Results, version: int) -> Results | None:
    """The results under a gold version, if they may be shown."""
    every = (results, *results.earlier)
    return next((under for under in every if under.gold.version == version), None)


def _turns(each: Sequence[Difference], was: Results, now: Results) -> Iterator[Turn]:
    """Yield the runs whose value as printed, or whose rank, is another, the best now first."""
    entries = {entry.slug: entry for entry in now.entries}
    order = {row.entry.slug: place for place, row in enumerate(rank(now).rows)}
    digits = was.task.ranking.digits, now.task.ranking.digits
    for one in sorted(each, key=lambda one: order[one.run]):
        moved, entry = one.whole, entries[one.run]
        before = _said(moved.before, moved.may_before, digits[0])
        after = _said(moved.after, moved.may_after, digits[1])
        if (before, moved.rank_before) != (after, moved.rank_after):
            yield Turn(entry, before, after, moved.rank_before, moved.rank_after)


def _said(value: float | None, may: tuple[float, float] | None, digits: int) -> str:
    return " to ".join(shown(end, digits) for end in may) if may else shown(value, digits)


def back(on: Sheet) -> tuple[Back, ...]:
    """Each dropped instance that could count in a phase, with the ranks if it did."""
    ranked = {row.entry.slug: (row.entry, row.rank) for row in on.board.ranked}
    drops = {drop.id: drop for drop in on.results.gold.drops}
    found = []
    for one in on.results.dropped:
        moved = tuple((ranked[run][0], said) for run, said in _moved(one, ranked))
        some, more = moved[:MOST], max(0, len(moved) - MOST)
        kind: Literal["exact", "open", "secret"] = "open" if one.ranges else "secret"
        found.append(Back(drops[one.id], some, more, "exact" if one.ranks else kind))
    return tuple(found)


def _moved(
    one: Reinstated, ranked: dict[str, tuple[Entry, int | None]]
) -> Iterator[tuple[str, str]]:
    """Yield the runs whose rank would be another, or might be, in the order of the board."""
    for run, (_, now) in ranked.items():
        if one.ranks:
            if one.ranks[run] != now:
                yield run, f"{now} → {one.ranks[run] or '–'}"
        elif one.ranges:
            low, high = one.ranges[run]
            if (low, high) != (now, now):
                yield run, f"{now} → {low}" + (f" to {high}" if high != low else "")
