"""Who may see results instance by instance, and gold."""

from dataclasses import replace
from datetime import datetime

from grader.model import Phase, Results, Visible


def open_runs(results: Results, at: datetime) -> frozenset[str]:
    """The runs that everybody may see instance by instance under the gold of these scores.

    Asked before results are read instance by instance.
    """
    if not results.gold.public(at):
        return frozenset()
    return frozenset(entry.slug for entry in results.entries if entry.consent)


def opened(results: Results, at: datetime) -> Results:
    """The results with the gold versions that are public by then, and with what goes with these.

    That is, instance by instance, the runs that are seen and whose teams let them be archived;
    ``kept_back`` counts the others.
    """
    golds = tuple(g for g in results.golds if g.released is not None and g.released <= at)
    runs = {e.slug for e in results.entries if e.graded is not None}
    shown = tuple(one for one in results.itemised if golds and one.consent and one.run in runs)
    return replace(results, golds=golds, itemised=shown, kept_back=len(runs) - len(shown))


def early(results: Results, at: datetime) -> Results:
    """The results of a phase as if it were revealed by then: so organisers decided for teams."""
    phase = results.phase
    if phase is None or phase.revealed(at):
        return results
    shown = replace(phase, reveal=at)
    phases = tuple(shown if p.name == phase.name else p for p in results.task.phases)
    return replace(results, task=replace(results.task, phases=phases), phase=shown)


def itemising(phase: Phase | None, viewer: Visible, at: datetime) -> str:
    """Why a viewer may not see results of a phase instance by instance; empty: it may.

    Whoever sees right and wrong instance by instance sees every decimal and every subset: what
    keeps these back until a reveal keeps back that too. It also tells labels, so whoever asks
    has made sure that nothing depends on them any more.

    viewer  own: the team whose run it is; teams: of the others together
    """
    if phase is None or phase.revealed(at):
        return ""
    until = f"until {_said(phase.reveal)}" if phase.reveal else "for good: it has no reveal"
    if not phase.sees(viewer, at):
        return f"its scores are hidden {until}"
    if not phase.subsets:
        return f"its subsets are hidden {until}"
    if phase.digits is not None:
        return f"its decimals are hidden {until}"
    if phase.veiled(at):
        return f"its teams go by pseudonyms {until}"
    return ""


def _said(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
