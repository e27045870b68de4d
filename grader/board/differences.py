"""How boards differ: before and after a new gold version, or after scoring again."""

from collections.abc import Mapping
from dataclasses import replace

from grader.board.ranks import rank
from grader.board.values import lead
from grader.model import Difference, Entry, Moved, Results, Score

_NOTHING = (None, None, 0)  # no score, or one that is undefined
_Ranks = Mapping[str, Mapping[str, int | None]]  # a run's rank, by the board and its slug


def differences(
    before: Results, after: Results, boards: tuple[str, ...] = ()
) -> tuple[Difference, ...]:
    """Each run's value of the measure that ranks, and its rank, on boards before and after.

    In the order in which the runs came in. Every phase is ranked by itself. A run that was not
    there before, or had no score, has None before.

    boards  the whole one first; none: all
    """
    boards = boards or tuple(dict.fromkeys(("all", *_subsets(after), *_subsets(before))))
    was, now = _ranks(before, boards), _ranks(after, boards)
    keys = {board: (lead(after, board).key, board) for board in boards}
    old = {entry.slug: entry for entry in before.entries}
    found = []
    for entry in after.entries:
        slug, values = entry.slug, _scores(entry)
        then = _scores(old[slug]) if slug in old else {}
        moved = [
            Moved(b, _value(x), _value(y), was[b].get(slug), now[b].get(slug), _may(x), _may(y))
            for b, k in keys.items()
            for x, y in ((then.get(k), values.get(k)),)
        ]
        told = _told(old[slug]) if slug in old else {}
        changed = sum(told.get(key, _NOTHING) != now for key, now in _told(entry).items())
        run = (slug, entry.team, entry.name, entry.phase)
        found.append(Difference(*run, moved[0], tuple(moved[1:]), changed))
    return tuple(found)


def common(before: Results, after: Results) -> tuple[Results, Results, tuple[str, ...]]:
    """Two results with the runs that both have scores of, as the same bytes; and the others.

    So that ranks are among the same runs.
    """
    old = {entry.slug: entry for entry in before.entries if entry.graded}
    both = {
        entry.slug
        for entry in after.entries
        if entry.graded and entry.slug in old and _bytes(entry) == _bytes(old[entry.slug])
    }
    apart = tuple(entry.slug for entry in after.entries if entry.slug not in both)
    return _only(before, both), _only(after, both), apart


def _only(results: Results, runs: set[str]) -> Results:
    return replace(results, entries=tuple(e for e in results.entries if e.slug in runs))


def _bytes(entry: Entry) -> str:
    """The digest of the bytes that a run's scores are of, as their signature has it."""
    return next((p for p in entry.settings.split("|") if p.startswith("run:")), "")


def _subsets(results: Results) -> tuple[str, ...]:
    return tuple(f"{name}={v}" for name, values in results.gold.dimensions for v, n in values if n)


def _ranks(results: Results, boards: tuple[str, ...]) -> _Ranks:
    return {b: {row.entry.slug: row.rank for row in rank(results, b).rows} for b in boards}


def _told(entry: Entry) -> Mapping[tuple[str, str], tuple[object, ...]]:
    """A run's values, or as long as answers wait how far they may go, by measure and subset."""
    scores = entry.graded.scores if entry.graded else ()
    return {(s.measure, s.subset): (s.value, s.extremes, s.waiting) for s in scores}


def _scores(entry: Entry) -> Mapping[tuple[str, str], Score]:
    """A run's scores by measure and subset."""
    return entry.graded.by_key if entry.graded else {}


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


def _may(score: Score | None) -> tuple[float, float] | None:
    return None if score is None or score.value is not None else score.extremes
