"""What may be shown of the past: under which gold versions, and of dropped instances."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from grader.board.blunt import blunt
from grader.model import Results


def remembered(results: Results, shown: Callable[[Results], Results], at: datetime) -> Results:
    """The results of a phase with as much of the past as tells nothing that is secret.

    Scores under two versions differ by a few instances: together they may tell whose answers to
    these are right. So, as long as the gold is secret, scores under an earlier version are there
    only if the public could see them while it stood, at the decimals of that time; and of a
    dropped instance, not where a run would stand with it, but where it might, whoever is right.

    shown  what may be shown of the results under one version
    """
    public = results.gold.public(at)
    earlier = (as_seen(results, old, shown, at) for old in results.earlier)
    return replace(
        results,
        earlier=tuple(old for old in earlier if old is not None),
        dropped=results.dropped
        if public
        else tuple(replace(one, ranks={}) for one in results.dropped),
        releases=tuple(r for r in results.releases if r.at <= at),
    )


def as_seen(
    results: Results, old: Results, shown: Callable[[Results], Results], at: datetime
) -> Results | None:
    """What may be shown of a phase as it was, under the gold of then; None: nothing."""
    if results.gold.public(at) or old.gold.version == results.gold.version:
        return shown(old)
    name = results.phase.name if results.phase else ""
    seen = {version.version - 1: version.seen.get(name) for version in results.versions}
    digits = seen.get(old.gold.version)
    return None if digits is None else _coarser(shown(old), digits)


def _coarser(results: Results, digits: int) -> Results:
    """The results at no more decimals than these."""
    ranking = results.task.ranking
    if ranking.digits <= digits:
        return results
    entries = (
        replace(entry, graded=entry.graded and blunt(entry.graded, digits))
        for entry in results.entries
    )
    task = replace(results.task, ranking=replace(ranking, digits=digits))
    return replace(results, task=task, entries=tuple(entries))
