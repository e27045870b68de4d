"""Who may see what."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from grader.analysis.coarse import coarse
from grader.board.blunt import blunt, undivided
from grader.board.phases import phased
from grader.model import Beside, Entry, Graded, Results, Score, Snapshot, Versus, Visible

FEW = 5
Viewer = Literal["public", "participants", "organisers"]
_AS: Mapping[Viewer, Visible] = {"public": "public", "participants": "teams"}


def visible(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The part of a snapshot that a viewer may see: the only gate to pages and exports.

    Organisers see all. Others get the results of each phase apart. Of one whose scores are hidden
    from them at that instant they see no run, but how many there are; of one that tells nothing
    of subsets yet, no subset; of one with digits of its own, no number that has more, and no
    count of right answers.

    They see no held runs, of a withdrawn one only that it was, and nothing that speaks of fewer
    than FEW instances (a bin, a subset, what two runs share): it would say which answers are
    right.
    """
    if viewer == "organisers":
        return snapshot
    parts = (part for results in snapshot.tasks for part in phased(results))
    seen = (_seen(part, _AS[viewer], snapshot.as_of) for part in parts)
    return replace(snapshot, tasks=tuple(seen))


def _seen(results: Results, viewer: Visible, at: datetime) -> Results:
    phase = results.phase
    if phase is None:  # nobody says who may see runs of a phase that is not declared
        declared = tuple(entry for entry in results.entries if not entry.phase)
        return _of_enough_instances(replace(results, entries=declared))
    if not phase.sees(viewer, at):
        return _hidden(results)
    found = _of_enough_instances(results)
    if not (phase.subsets or phase.revealed(at)):
        found = undivided(found)
    return blunt(found) if phase.digits is not None else found


def _hidden(results: Results) -> Results:
    """The results without any run; ``unseen`` counts those that were not withdrawn."""
    many = sum("withdrawn" not in entry.flags for entry in results.entries)
    unseen = many if results.unseen is None else results.unseen
    return replace(results, entries=(), versus={}, beside={}, unseen=unseen)


def _of_enough_instances(results: Results) -> Results:
    return replace(
        results,
        entries=tuple(_public(results.entries)),
        versus={subset: _of_many(found) for subset, found in results.versus.items()},
        beside={s: _rows_of_many(made) for s, made in results.beside.items() if made.n >= FEW},
    )


def _of_many(found: Versus) -> Versus:
    if found.comparison is None or found.n >= FEW:
        return found
    return replace(found, comparison=None, reason=f"they share fewer than {FEW} instances")


def _rows_of_many(made: Beside) -> Beside:
    """The reference rows, without the threshold's if one side of it is small."""
    if made.smallest >= FEW:
        return made
    return replace(made, references=tuple(r for r in made.references if r.key != "threshold"))


def _public(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        if "withdrawn" in entry.flags:
            yield replace(entry, graded=None)
        elif entry.graded is not None:
            yield replace(entry, graded=_coarse(entry.graded))


def _coarse(graded: Graded) -> Graded:
    bins = tuple(replace(b, accuracy=None) if 0 < b.n < FEW else b for b in graded.reliability)
    scores = tuple(_of_enough(s) for s in graded.scores)
    analysis = graded.analysis and coarse(graded.analysis, bins, FEW)
    return replace(graded, reliability=bins, scores=scores, analysis=analysis)


def _of_enough(score: Score) -> Score:
    if score.subset != "all" and 0 < score.n < FEW:
        why = f"fewer than {FEW} instances: not shown"
        return replace(score, value=None, low=None, high=None, note=why, details={})
    if score.details.get("n of the bin", FEW) < FEW:
        kept = {k: v for k, v in score.details.items() if k != "n of the bin"}
        return replace(score, details=kept)
    return score
