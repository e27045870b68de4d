"""How a task was judged, for those who read its board: coverage, agreement, boards per judge."""

from collections.abc import Mapping
from dataclasses import replace

from grader import store
from grader.board import rank
from grader.judging.agreement import agreements, labels_of
from grader.judging.boards import Boards
from grader.judging.columns import columns
from grader.judging.resolution import decision, settled, votes_of
from grader.judging.views import View, views_of
from grader.model import Covered, Gold, Results, Unit, Witness
from grader.store import Connection


def witnessed(db: Connection, results: Results) -> Results:
    """The results of a phase, or of a task without any, with how their runs were judged.

    Of the runs that stand in them, but for withdrawn and held ones. Only what judges say of
    dropped questions is in their agreement, and nowhere else. A task that is not judged stays as
    it is.
    """
    task, entries = results.task, results.entries
    if task.answers != "judged":
        return results
    gold, _ = store.gold(db, task.slug)
    part = replace(gold, part=results.phase.split if results.phase else "all")
    runs = [e.slug for e in entries if e.graded is not None and "withdrawn" not in e.flags]
    views = views_of(db, store.registered(db, task.slug).task, gold, runs)
    every, units = _units(views, part), {u for view in views.values() for u in scored(view)}
    found = [one for one in store.judgements(db, task.slug) if one.unit in every]
    votes = {u: v for u, v in votes_of(task.judging, found).items() if u in units}
    labels = labels_of(found)
    said = [j for j in store.judges(db, task.slug) if any(j.name in x for x in labels.values())]
    names = [judge.name for judge in said]
    peers = [j for j in said if store.folded(j.name) != store.folded(task.judging.chair)]
    ranked = [row.entry.slug for row in rank(results).ranked]
    boards = Boards(task, gold, {slug: views[slug] for slug in ranked if slug in views}, votes)
    decided = sum(settled(decision(task.judging, each)) for each in votes.values())
    return replace(
        results,
        witness=Witness(
            units=len(units),
            judged=len(votes),
            decided=decided,
            judges=tuple((j, sum(j.name in each for each in votes.values())) for j in said),
            covered={slug: _covered(view) for slug, view in views.items()},
            agreements=tuple(agreements(said, peers, labels, task.judging.labels)),
            boards=tuple(boards.alone(names)),
            concordances=tuple(boards.concordances(names)),
            columns=tuple(columns(found, gold, views, task.resampling)),
        ),
    )


def _units(views: Mapping[str, View], part: Gold) -> set[Unit]:
    """What judges saw of runs, of dropped questions too: in the part of the gold that counts."""
    inside = [part.part in ("all", split) for split in part.splits] or [True] * len(part.ids)
    pairs = (pair for view in views.values() for pair in zip(view.units, inside, strict=True))
    return {unit for unit, counts in pairs if unit is not None and counts}


def scored(view: View) -> set[Unit]:
    """What is to be judged of a run, of the instances that count."""
    pairs = zip(view.units, view.counted.tolist(), strict=True)
    return {unit for unit, counts in pairs if unit is not None and counts}


def _covered(view: View) -> Covered:
    waiting, of = view.judged.waiting, len(scored(view))
    return Covered(of - int((waiting & view.counted).sum()) if waiting.size else of, of)
