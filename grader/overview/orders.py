"""How the orders of runs agree: by measures, judges, gold versions, and dropped instances."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from grader.board import common, concordance, lead, rank, score
from grader.board.concordance import tau_b
from grader.measures import find
from grader.model import Order, Results, Score

TOGETHER = "all dropped instances"
_BOARD = "the board"
_UNKNOWN = "the ranks with it are not known"
_RANKLESS = "fewer than two runs have a rank on both"
_TIED = "under one of the two all runs are equal"


def orders(results: Results, together: Mapping[str, int | None]) -> tuple[Order, ...]:
    """Every two orders of the ranked runs that a paper may compare.

    together  the ranks if all dropped instances counted
    """
    return (
        *_measures(results),
        *_judges(results),
        *_versions(results),
        *_dropped(results, together),
    )


def _measures(results: Results) -> Iterator[Order]:
    """Of measures that say what is better; 1 where both put the runs in the same order."""
    ranked = [row.entry for row in rank(results).ranked]
    measures = [find(key) for key in results.task.keys]
    for one, other in combinations([m for m in measures if m.better != "none"], 2):
        pairs = {e.slug: (score(e, one.key), score(e, other.key)) for e in ranked}
        values = {slug: (a, b) for slug, (a, b) in pairs.items() if a and b}
        tau, why = concordance(values, results.task.ranking.digits)
        if tau is not None and one.better != other.better:
            tau = 0.0 - tau
        yield Order("measures", one.key, other.key, _defined(values), tau, why)


def _judges(results: Results) -> Iterator[Order]:
    witness = results.witness
    for alone in witness.boards if witness else ():
        runs = _defined(alone.values)
        yield Order("judge", alone.judge, "the rule", runs, alone.tau, alone.why)
    for both in witness.concordances if witness else ():
        runs = _defined(both.values)
        yield Order("judges", *both.judges, runs, both.tau, both.why)


def _versions(results: Results) -> Iterator[Order]:
    """Of the runs that have scores under both, as the same bytes, and a rank now."""
    key, digits = lead(results).key, results.task.ranking.digits
    ranked = {row.entry.slug for row in rank(results).ranked}
    for earlier in results.earlier:
        before, now, _ = common(earlier, results)
        then = {e.slug: score(e, key) for e in before.entries}
        pairs = {e.slug: (then[e.slug], score(e, key)) for e in now.entries if e.slug in ranked}
        values = {slug: (a, b) for slug, (a, b) in pairs.items() if a and b}
        tau, why = concordance(values, digits)
        names = (f"gold v{earlier.gold.version}", f"gold v{results.gold.version}")
        yield Order("version", *names, _defined(values), tau, why)


def _dropped(results: Results, together: Mapping[str, int | None]) -> Iterator[Order]:
    now = {row.entry.slug: row.rank for row in rank(results).ranked}
    each = {one.id: one.ranks for one in results.dropped}
    if len(each) > 1:
        each[TOGETHER] = together
    for name, ranks in each.items():
        pairs = [(now[r], with_) for r, with_ in ranks.items() if r in now and with_ is not None]
        tau, why = None, "" if ranks else _UNKNOWN
        if not why:
            tau = tau_b(*zip(*pairs, strict=True)) if len(pairs) > 1 else None
            why = "" if tau is not None else _TIED if len(pairs) > 1 else _RANKLESS
        yield Order("dropped", _BOARD, name, len(pairs), tau, why)


def _defined(values: Mapping[str, tuple[Score, Score]]) -> int:
    """The runs that have a value on both."""
    return sum(a.value is not None and b.value is not None for a, b in values.values())
