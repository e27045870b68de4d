"""Who may see what."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from grader.board.blunt import apart, at_most, blunt, dulled, even, undivided
from grader.board.closing import closed
from grader.board.discreet import discreet
from grader.board.few import coarse, of_enough_instances
from grader.board.judges import blunted, enough_judged, heard
from grader.board.limits import ALL, Limits, guarded, limits_of
from grader.board.opened import open_runs, opened
from grader.board.phases import phased
from grader.board.remembered import as_seen, remembered
from grader.board.veil import unveiled, veiled, without_names
from grader.model import (
    PUBLIC,
    Entry,
    Graded,
    Naming,
    Phase,
    Results,
    Snapshot,
    Visible,
)

Viewer = Literal["public", "participants", "organisers"]
Whose = Viewer | Literal["own"]  # own: the team that sent the run
_AS: Mapping[Whose, Visible] = {"public": "public", "participants": "teams", "own": "own"}


def visible(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The part of a snapshot that a viewer may see: the gate to pages and exports.

    Organisers see all. Others get the results of each phase apart. Of one whose scores are hidden
    from them at that instant they see no run, but how many there are; of one that tells nothing
    of subsets yet, no subset; of one with digits of its own, until the gold is public, no number
    that has more, and no count of right answers; of one under pseudonyms, no team, and nothing of
    a run but its scores.

    They see no held runs, of a withdrawn one only that it was, and nothing that speaks of a few
    instances (a bin, a subset, what two runs share): it would say which answers are right. How
    few these are is said in ``limits``: more while runs are scored on the labels. Of runs that
    are shown instance by instance, since the gold is released, it may be said. Of each run they
    see what ``seen`` lets through; of what teams were called before, only what a board had shown
    to them; of earlier versions of the gold, and of the board as of a close, what is
    ``remembered``; of single cases that organisers decided, and of disputes, what is
    ``discreet``; of labels and of runs instance by instance, what is ``opened``.
    """
    if viewer == "organisers":
        return snapshot
    at = snapshot.as_of
    named = (without_names(results, at) for results in snapshot.tasks)
    parts = ((_watched(p, whole, at), p.guarded) for whole in named for p in phased(whole))
    found = (_part(part, viewer, at, again=again) for part, again in parts)
    return replace(snapshot, tasks=tuple(opened(discreet(p, at), at) for p in found))


def seen(
    graded: Graded, phase: Phase | None, viewer: Whose, at: datetime, limits: Limits
) -> Graded | None:
    """What a viewer may see of a run's scores at an instant; None: nothing of them.

    The only gate to the scores of a run, for receipts and pages alike. Who sent it sees, when
    they are shown to it, what others do, but not the score that chooses a team's best run.

    phase   the one that the run is of; None: the task has none
    limits  of how few instances nothing is told, and at how many decimals
    """
    if graded.view is not None:
        graded = replace(graded, view=None)
    if viewer == "organisers":
        return graded
    if phase is not None and not phase.sees(_AS[viewer], at):
        return None
    found = enough_judged(coarse(graded, limits) if limits.part else graded)
    if viewer == "own":
        found = replace(found, scores=tuple(s for s in found.scores if s.subset != PUBLIC))
    if not _divided(phase, at):
        found = undivided(found)
    if limits.digits is None:
        return found
    return (at_most if limits.counts else blunt)(found, limits.digits)


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


def _part(results: Results, viewer: Viewer, at: datetime, *, again: bool) -> Results:
    """What a viewer sees of a phase; ``again``: it has been through here."""
    phase = results.phase
    results = veiled(results) if phase and phase.veiled(at) else unveiled(results)
    entries = results.entries
    if phase is None:  # nobody says who may see runs of a phase that is not declared
        entries = tuple(entry for entry in entries if not entry.phase)
    elif not phase.sees(_AS[viewer], at):
        return remembered(_hidden(results), _hidden, at)
    told, limits = open_runs(results, at), limits_of(results, at, asked=not again)

    def shown(entry: Entry, graded: Graded) -> Graded | None:
        return seen(graded, phase, viewer, at, ALL if entry.slug in told else limits)

    runs = _public(entries, shown)
    found = _called(replace(results, entries=tuple(runs)), viewer, at)
    found = heard(of_enough_instances(found, told, limits), at, limits)
    if not _divided(phase, at):
        found = apart(found)
    if limits.digits is not None and limits.counts:
        found = even(found, limits.digits)
    elif limits.digits is not None:
        found = blunted(dulled(found, limits.digits), limits.digits)
    found = replace(found, counted=limits.counts)
    return _with_past(found, results, viewer, at, again=again)


def _with_past(
    found: Results, whole: Results, viewer: Viewer, at: datetime, *, again: bool
) -> Results:
    """What a viewer sees of a phase, with what it sees of its past.

    whole  the phase before anything was taken from it
    """

    def shown(old: Results) -> Results:
        return _part(old, viewer, at, again=again)

    def saw(when: datetime) -> bool:
        return whole.phase is not None and whole.phase.sees(_AS[viewer], when)

    def past(then: Results) -> Results | None:
        return found if then is whole else as_seen(whole, then, shown, at)

    made = whole.closed if whole.since is None else closed(whole, past, saw, at)
    return replace(remembered(found, shown, at), since=None, closed=made)


def _watched(part: Results, whole: Results, at: datetime) -> Results:
    """The part of a task's results, marked if runs are still scored on its labels.

    The mark stays when what decided it, an extension for a single team, is not shown.
    """
    found = part.guarded or guarded(replace(whole, phase=part.phase), at)
    old = tuple(replace(earlier, guarded=found) for earlier in part.earlier)
    return replace(part, guarded=found, earlier=old)


def _hidden(results: Results) -> Results:
    """The results without any run; ``unseen`` counts those that were not withdrawn."""
    many = sum("withdrawn" not in entry.flags for entry in results.entries)
    unseen = many if results.unseen is None else results.unseen
    none = replace(results, entries=(), versus={}, beside={}, unseen=unseen, namings=())
    return replace(none, earlier=(), dropped=(), witness=None, since=None, closed=None)


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


def _public(
    entries: tuple[Entry, ...], shown: Callable[[Entry, Graded], Graded | None]
) -> Iterator[Entry]:
    for entry in entries:
        if "withdrawn" in entry.flags:
            yield replace(entry, graded=None)
        elif entry.graded is not None:
            found = shown(entry, entry.graded)
            yield entry if found is entry.graded else replace(entry, graded=found)
