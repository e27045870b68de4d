"""What an overview paper says of tasks, read from the database: for organisers alone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from grader import store
from grader.board import phased, rank
from grader.family import Views, family
from grader.judging.witness import witnessed
from grader.measures import find
from grader.model import Gold, Overview, Results
from grader.overview.instances import instances, ranks
from grader.overview.orders import orders
from grader.paired import reinstated, views
from grader.sensitivity import place, value
from grader.store import Connection


def overviews(db: Connection, slugs: Sequence[str], at: datetime) -> Iterator[Overview]:
    """Yield the overview of each phase that has runs; of a task without any, of its first part.

    raises  Mistake, for an unknown task
    """
    for results in store.with_past(db, store.snapshot(db, at, slugs)).tasks:
        parts = phased(results)
        for part in [p for p in parts if p.entries] or parts[:1]:
            yield _overview(db, part)


def _overview(db: Connection, results: Results) -> Overview:
    entries = results.entries
    counted = tuple(e.slug for e in entries if e.graded and "withdrawn" not in e.flags)
    ranked = tuple(row.entry.slug for row in rank(results).ranked)
    _, gold, whole = views(db, results.task.slug, counted, dropped=True)
    seen = {run: (judged, mine & gold.scored) for run, (judged, mine) in whole.items()}
    versus = family(results.task, gold, {run: seen[run] for run in ranked})
    dropped = reinstated(results, gold, whole, ranked)
    found = witnessed(db, replace(results, versus={"all": versus}, dropped=dropped))
    together = _together(found, gold, whole, ranked)
    part = results.phase.split if results.phase else "all"
    each, influences = instances(results.task, gold, seen, ranked, part)
    addresses = {team.name: team.slug for team in store.teams(db)}
    found_orders = orders(found, together)
    return Overview(found, counted, found_orders, each, influences, together, addresses)


def _together(
    results: Results, gold: Gold, whole: Views, ranked: Sequence[str]
) -> dict[str, int | None]:
    """The ranks of the ranked runs if all dropped instances counted, at the board's decimals."""
    if not results.dropped or not all(one.ranks for one in results.dropped):
        return {}
    measure, digits = find(results.task.primary), results.task.ranking.digits
    places = [place(value(measure, gold, *whole[run]), measure, digits) for run in ranked]
    return dict(zip(ranked, ranks(places), strict=True))
