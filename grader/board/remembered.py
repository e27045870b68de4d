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
    name = results.phase.name if results.phase else ""
    seen = {version.version - 1: version.seen.get(name) for version in results.versions}
    earlier = []
    for old in results.earlier:
        digits = seen.get(old.gold.version)
        if public:
            earlier.append(shown(old))
        elif digits is not None:
            earlier.append(_coarser(shown(old), digits))
    return replace(
        results,
        earlier=tuple(earlier),
        dropped=results.dropped
        if public
        else tuple(replace(one, ranks={}) for one in results.dropped),
        releases=tuple(r for r in results.releases if r.at <= at),
    )


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
