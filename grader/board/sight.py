"""Who may see what."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from grader.analysis.coarse import coarse
from grader.board.blunt import (
    FEW,
    TOO_FEW,
    WITH_OTHERS,
    apart,
    blunt,
    dulled,
    mean_alone,
    undivided,
)
from grader.board.discreet import discreet
from grader.board.judges import blunted, enough_judged, heard
from grader.board.opened import opened
from grader.board.phases import phased
from grader.board.remembered import remembered
from grader.measures import find
from grader.model import (
    PUBLIC,
    Beside,
    Entry,
    Graded,
    Naming,
    Phase,
    Results,
    Score,
    Snapshot,
    Versus,
    Visible,
)

Viewer = Literal["public", "participants", "organisers"]
Whose = Viewer | Literal["own"]  # own: the team that sent the run
_AS: Mapping[Whose, Visible] = {"public": "public", "participants": "teams", "own": "own"}


def visible(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The part of a snapshot that a viewer may see: the gate to pages and exports.

    Organisers see all. Others get the results of each phase apart. Of one whose scores are hidden
    from them at that instant they see no run, but how many there are; of one that tells nothing
    of subsets yet, no subset; of one with digits of its own, no number that has more, and no
    count of right answers.

    They see no held runs, of a withdrawn one only that it was, and nothing that speaks of fewer
    than FEW instances (a bin, a subset, what two runs share): it would say which answers are
    right. Of each run they see what ``seen`` lets through; of what teams were called before,
    only what a board had shown to them; of earlier versions of the gold, what is ``remembered``;
    of single cases that organisers decided, and of disputes, what is ``discreet``; of labels and
    of runs instance by instance, what is ``opened``.
    """
    if viewer == "organisers":
        return snapshot
    parts = (part for results in snapshot.tasks for part in phased(results))
    at = snapshot.as_of
    found = (opened(discreet(_part(p, viewer, at), at), at) for p in parts)
    return replace(snapshot, tasks=tuple(found))


def seen(graded: Graded, phase: Phase | None, viewer: Whose, at: datetime) -> Graded | None:
    """What a viewer may see of a run's scores at an instant; None: nothing of them.

    The only gate to the scores of a run, for receipts and pages alike. Who sent it sees, when
    they are shown to it, what others do, but not the score that chooses a team's best run.

    phase  the one that the run is of; None: the task has none
    """
    if viewer == "organisers":
        return graded
    if phase is not None and not phase.sees(_AS[viewer], at):
        return None
    found = _coarse(graded)
    if viewer == "own":
        found = replace(found, scores=tuple(s for s in found.scores if s.subset != PUBLIC))
    if not _divided(phase, at):
        found = undivided(found)
    return found if phase is None or phase.digits is None else blunt(found, phase.digits)


def told(results: Results, viewer: Whose, at: datetime) -> Mapping[str, int]:
    """The phases of which a viewer sees scores at an instant, and the decimals that are shown.

    The name of a task's runs that are of no phase is empty. Phases without scored runs tell
    nothing.
    """
    return {
        part.phase.name if part.phase else "": part.task.ranking.digits
        for part in phased(results)
        if any(entry.graded for entry in part.entries)
        and (part.phase is None or part.phase.sees(_AS[viewer], at))
    }


def _divided(phase: Phase | None, at: datetime) -> bool:
    """Whether subsets are spoken of."""
    return phase is None or phase.subsets or phase.revealed(at)


def _part(results: Results, viewer: Viewer, at: datetime) -> Results:
    phase, entries = results.phase, results.entries
    if phase is None:  # nobody says who may see runs of a phase that is not declared
        entries = tuple(entry for entry in entries if not entry.phase)
    elif not phase.sees(_AS[viewer], at):
        return remembered(_hidden(results), _hidden, at)
    runs = _public(entries, lambda graded: seen(graded, phase, viewer, at))
    found = _called(replace(results, entries=tuple(runs)), viewer, at)
    found = heard(_of_enough_instances(found), at)
    if not _divided(phase, at):
        found = apart(found)
    if phase is not None and phase.digits is not None:
        found = blunted(dulled(found, phase.digits), phase.digits)
    return remembered(found, lambda old: _part(old, viewer, at), at)


def _hidden(results: Results) -> Results:
    """The results without any run; ``unseen`` counts those that were not withdrawn."""
    many = sum("withdrawn" not in entry.flags for entry in results.entries)
    unseen = many if results.unseen is None else results.unseen
    none = replace(results, entries=(), versus={}, beside={}, unseen=unseen, namings=())
    return replace(none, earlier=(), dropped=(), witness=None)


def _called(results: Results, viewer: Viewer, at: datetime) -> Results:
    """The results with what their teams were called on a board that this viewer saw.

    Of two teams that were merged the other may be in a phase that is hidden.
    """
    first: dict[str, datetime] = {}
    for entry in results.entries:
        first[entry.team] = min(entry.received, first.get(entry.team, entry.received))
    open_to = all(phase.sees(_AS[viewer], at) for phase in results.task.phases)
    found: list[Naming] = []
    for naming in reversed(results.namings):  # the last name of a team is the one that runs have
        since = first.get(naming.after)
        if since is not None and since < naming.at and (open_to or not naming.merged):
            first[naming.before] = since
            found.append(naming)
    return replace(results, namings=tuple(reversed(found)))


def _of_enough_instances(results: Results) -> Results:
    gone: set[str] = set()
    for name, values in results.gold.dimensions:
        gone |= _withheld({f"{name}={value}": n for value, n in values})
    return replace(
        results,
        versus={s: _of_many(v, alone=s in gone) for s, v in results.versus.items()},
        beside={
            s: _rows_of_many(made)
            for s, made in results.beside.items()
            if made.n >= FEW and s not in gone
        },
    )


def _withheld(sizes: Mapping[str, int]) -> set[str]:
    """The parts of a whole that are not shown: those of fewer than FEW instances.

    If they are fewer than FEW together, the next smallest part as well: what is not shown would
    follow from the whole and the parts that are.

    >>> sorted(_withheld({"a": 1, "b": 39, "c": 20})), sorted(_withheld({"a": 1, "b": 4, "c": 9}))
    (['a', 'c'], ['a', 'b'])
    >>> _withheld({"a": 5, "b": 39, "none": 0})
    set()
    """
    found: set[str] = set()
    total = 0
    for n, name in sorted((n, name) for name, n in sizes.items() if n):
        if n < FEW or 0 < total < FEW:
            found.add(name)
            total += n
    return found


def _of_many(found: Versus, *, alone: bool) -> Versus:
    if found.comparison is None or (found.n >= FEW and not alone):
        return found
    if found.n >= FEW:
        return replace(found, comparison=None, reason=WITH_OTHERS)
    return replace(found, comparison=None, reason=f"they share fewer than {FEW} instances")


def _rows_of_many(made: Beside) -> Beside:
    """The reference rows, without the threshold's if one side of it is small."""
    if made.smallest >= FEW:
        return made
    return replace(made, references=tuple(r for r in made.references if r.key != "threshold"))


def _public(
    entries: tuple[Entry, ...], shown: Callable[[Graded], Graded | None]
) -> Iterator[Entry]:
    for entry in entries:
        if "withdrawn" in entry.flags:
            yield replace(entry, graded=None)
        elif entry.graded is not None:
            yield replace(entry, graded=shown(entry.graded))


def _coarse(graded: Graded) -> Graded:
    gone = _withheld({str(i): b.n for i, b in enumerate(graded.reliability)})
    bins = tuple(
        replace(b, accuracy=None) if str(i) in gone else b
        for i, b in enumerate(graded.reliability)
    )
    hidden = _hidden_subsets(graded)
    scores = tuple(_of_enough(s, hidden) for s in graded.scores)
    analysis = graded.analysis and coarse(graded.analysis, bins, FEW)
    found = replace(graded, reliability=bins, scores=scores, analysis=analysis)
    return enough_judged(found)


def _hidden_subsets(graded: Graded) -> set[str]:
    """The subsets of which nothing is shown; the score that chooses is printed nowhere."""
    sizes: dict[str, dict[str, int]] = {}
    for score in graded.scores:
        if score.subset not in ("all", PUBLIC):
            sizes.setdefault(score.subset.partition("=")[0], {})[score.subset] = score.n
    return {subset for parts in sizes.values() for subset in _withheld(parts)}


def _of_enough(score: Score, hidden: Collection[str]) -> Score:
    """The score, if it is not of a ``hidden`` subset.

    A mean over subsets of which one is hidden has no notes: they say what is right in it.
    """
    if score.subset in hidden:
        why = TOO_FEW if score.n < FEW else WITH_OTHERS
        none = replace(score, value=None, low=None, high=None, details={})
        return replace(none, note=why, no_interval=score.no_interval and why)
    dimension = find(score.measure).dimension
    if dimension and any(subset.partition("=")[0] == dimension for subset in hidden):
        return mean_alone(score)
    if score.details.get("n of the bin", FEW) < FEW:
        kept = {k: v for k, v in score.details.items() if k != "n of the bin"}
        return replace(score, details=kept)
    return score
