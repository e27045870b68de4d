"""Who may see what."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from grader.analysis.coarse import coarse
from grader.model import Beside, Entry, Graded, Results, Score, Snapshot, Versus

FEW = 5
Viewer = Literal["public", "organisers"]


def visible(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The part of a snapshot that a viewer may see: the only gate to pages and exports.

    Organisers see all. The public sees no held runs, of a withdrawn one only that it was, and
    nothing that speaks of fewer than FEW instances (a bin, a subset, what two runs share): it
    would say which answers are right.
    """
    if viewer == "organisers":
        return snapshot
    return replace(snapshot, tasks=tuple(_public_results(r) for r in snapshot.tasks))


def _public_results(results: Results) -> Results:
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
