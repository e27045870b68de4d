"""What organisers say of a stored run: withdrawn, restored, primary. All is logged."""

from collections.abc import Mapping, Sequence
from typing import Literal

from grader import store
from grader.admission import endless, exhausted, slots
from grader.errors import Mistake
from grader.marking.decision import Decision
from grader.model import Entry, Past, Phase, Problem, Sent
from grader.store import Connection

Kind = Literal["primary", "contrastive", "baseline"]
_OTHER: Mapping[Kind, tuple[Kind]] = {"primary": ("contrastive",), "contrastive": ("primary",)}


def withdraw(db: Connection, slug: str, run: str, decision: Decision) -> None:
    """Take a run off the board; its bytes and its page's address stay."""
    store.config(db, slug, lock=True)
    before = store.flags(db, slug, run).get("withdrawn")
    if before is not None:
        raise Mistake(
            f"{run} is withdrawn already: {before}",
            mend=f"grader run restore {slug} {run} --why '…'",
        )
    store.flag(db, slug, run, "withdrawn", decision.why, decision.at)
    _log(db, slug, f"run withdraw: {run}", [run], decision)


def restore(db: Connection, slug: str, run: str, decision: Decision) -> None:
    """Put a withdrawn run back on the board.

    raises  Mistake, if it is not withdrawn, or if its slot was free and has been used since
    """
    now = store.registered(db, slug, lock=True)
    if "withdrawn" not in store.flags(db, slug, run):
        raise Mistake(f"{run} is not withdrawn", mend=f"grader run list {slug}")
    upload = store.payload(db, slug, run)
    phase = now.task.phase(upload.phase)
    if phase is not None and phase.visible == "none":
        past = store.past(db, slug, upload.team).runs
        back = Sent(
            phase.name,
            upload.received,
            late="late" in upload.flags,
            beyond="quota" in upload.waived,
        )
        if over := _overfull(phase, past, back):
            raise Mistake(
                f"the slot of {run} has been used since: {over.message}",
                mend=f"grader run withdraw {slug} ANOTHER --why '…'",
            )
    store.unflag(db, slug, [run], "withdrawn")
    _log(db, slug, f"run restore: {run}", [run], decision)


def _overfull(phase: Phase, past: Sequence[Sent], back: Sent) -> Problem | None:
    """The first run, in the order of reception, for which no slot is left with one more back.

    What was taken beyond the quota needs none.
    """
    mine = [run for run in past if run.phase == phase.name and not run.withdrawn]
    mine = sorted((*mine, back), key=lambda run: run.received)
    for i, run in enumerate(mine):
        if run.received >= back.received and run.late == back.late and not run.beyond:
            left = slots(endless(phase), Past(tuple(mine[:i])), run.received, late=run.late)
            if full := exhausted(left, run.received):
                return full
    return None


def mark(db: Connection, slug: str, run: str, kind: Kind, decision: Decision) -> tuple[str, ...]:
    """Say what a run is to its team; of primary runs a team has one in a phase.

    A primary run is no longer contrastive, and the other way about.

    returns  the runs that were primary until now
    """
    store.config(db, slug, lock=True)
    before = store.flags(db, slug, run)
    if kind in before:
        raise Mistake(f"{run} is {kind} already", mend=f"grader run show {slug} {run}")
    gone = [other for other in _OTHER.get(kind, ()) if other in before]
    for other in gone:
        store.unflag(db, slug, [run], other)
    entries = store.snapshot(db, decision.at, [slug]).tasks[0].entries
    mine = next(entry for entry in entries if entry.slug == run)
    rivals = tuple(e.slug for e in entries if kind == "primary" and _rivals(e, mine))
    store.unflag(db, slug, rivals, "primary")
    store.flag(db, slug, run, kind, decision.why, decision.at)
    instead = [*rivals, *gone]
    said = f" instead of {', '.join(instead)}" if instead else ""
    _log(db, slug, f"run flag: {run} {kind}{said}", [run, *rivals], decision)
    return rivals


def _rivals(entry: Entry, mine: Entry) -> bool:
    return (entry.team, entry.phase) == (mine.team, mine.phase) and "primary" in entry.flags


def unmark(db: Connection, slug: str, run: str, kind: Kind, decision: Decision) -> None:
    """Take back what a run was said to be."""
    store.config(db, slug, lock=True)
    if kind not in store.flags(db, slug, run):
        raise Mistake(f"{run} is not {kind}", mend=f"grader run show {slug} {run}")
    store.unflag(db, slug, [run], kind)
    _log(db, slug, f"run flag: {run} no longer {kind}", [run], decision)


def _log(db: Connection, slug: str, what: str, runs: Sequence[str], decision: Decision) -> None:
    store.log(db, slug, what, decision.why, decision.at, runs_named=runs)
