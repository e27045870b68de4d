"""How a task was judged, as a page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.board import lead, printed, score, shown
from grader.model import Agreement, Column, Entry, Graded, Mean, Score, Witness
from grader.site.sheets import Contest, Sheet

HIDDEN = "on few instances it differs from another board: not shown"


@dataclass(frozen=True, slots=True)
class Told:
    """A phase whose readers may know how it was judged."""

    on: Sheet
    witness: Witness


@dataclass(frozen=True, slots=True)
class Heard:
    """A run's value under a judge, and the rule's on the same instances if these are fewer."""

    value: str
    rule: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A ranked run on the board, and under each judge who judged enough of it."""

    entry: Entry
    value: str
    cells: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A run's mean of a further number, and that less the mean of the run above.

    ``interval`` is that of the difference; where there is none, ``why``.
    """

    entry: Entry
    n: int
    mean: str
    less: str
    interval: str
    why: str


def told(contest: Contest) -> tuple[Told, ...]:
    """The phases of which it may be told how they were judged."""
    return tuple(
        Told(on, on.results.witness) for on in contest.sheets if on.results.witness is not None
    )


def ballots(one: Told) -> tuple[Ballot, ...]:
    """The ranked runs in the order of the board, under each judge that has a board."""
    on, digits = one.on, one.on.results.task.ranking.digits
    key, whole = lead(on.results).key, on.results.gold.scored
    boards = [board for board in one.witness.boards if board.n]
    found = []
    for row in on.board.ranked:
        slug = row.entry.slug
        cells = [_heard(b.values.get(slug), digits, alike=b.n == whole) for b in boards]
        value = printed(score(row.entry, key), digits)
        found.append(Ballot(row.entry, value, tuple(cells)))
    return tuple(found)


def _heard(pair: tuple[Score, Score] | None, digits: int, *, alike: bool) -> Heard:
    if pair is None:
        return Heard("–", note=HIDDEN)
    mine, rule = pair
    said = "" if alike else shown(rule.value, digits)
    return Heard(shown(mine.value, digits), said, mine.note or rule.note)


def labels(found: Sequence[Agreement]) -> tuple[str, ...]:
    """The labels of which agreement is told."""
    return tuple(dict.fromkeys(label for one in found for label in one.specific))


def numbers(one: Told, column: Column) -> tuple[Number, ...]:
    """The means of a further number, the largest first."""
    digits = one.on.results.task.ranking.digits
    entries: Mapping[str, Entry] = {e.slug: e for e in one.on.results.entries}
    found = []
    for slug, mean in column.means.items():
        pair = column.versus.above(slug) if slug in entries else None
        less, interval, why = "", "", ""
        if pair is not None and pair.difference is not None:  # the run above, less this one
            less, why = shown(-pair.difference, digits), pair.reason
            if pair.low is not None and pair.high is not None:
                interval = f"{shown(-pair.high, digits)} to {shown(-pair.low, digits)}"
        if slug in entries:
            value = shown(mean.value, digits)
            found.append(Number(entries[slug], mean.n, value, less, interval, why))
    return tuple(found)


def waiting(one: Told) -> tuple[tuple[Entry, int, int], ...]:
    """The runs of which not all answers are decided: how many are, and of how many."""
    entries = {e.slug: e for e in one.on.results.entries}
    return tuple(
        (entries[slug], covered.decided, covered.of)
        for slug, covered in one.witness.covered.items()
        if covered.decided < covered.of and slug in entries
    )


@dataclass(frozen=True, slots=True)
class Given:
    """A further number, and a run's mean of it."""

    name: str
    mean: Mean


def means(on: Sheet, entry: Entry) -> tuple[Given, ...]:
    """The further numbers that judges gave a run's answers."""
    witness = on.results.witness
    columns = witness.columns if witness is not None else ()
    return tuple(Given(c.name, c.means[entry.slug]) for c in columns if entry.slug in c.means)


def open_answers(graded: Graded | None) -> int:
    """How many answers of a run are not judged yet."""
    scores = graded.scores if graded is not None else ()
    return max((s.waiting for s in scores if s.subset == "all"), default=0)
