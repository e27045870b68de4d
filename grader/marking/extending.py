"""A phase that closes later than its task's file says, for one team or for all."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from grader import store
from grader.deadlines import Readmitted, collision, overtaken, phases_of, readmit
from grader.disclosure import as_late, disclosed, spoiled
from grader.errors import Mistake
from grader.instants import said
from grader.marking.decision import Decision
from grader.model import Extension, Phase, Task
from grader.rescore import entries
from grader.store import Connection
from grader.tasks import parse
from grader.tasks.names import did_you_mean, spellings


@dataclass(frozen=True, slots=True)
class Close:
    """When a phase is to close for a team, or (None) for all."""

    phase: str
    until: datetime
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Extended:
    """What was decided, and the instant until which the phase was open before.

    ``overtaken`` are the slugs of runs that came before that instant, and stay in time.
    """

    title: str
    extension: Extension
    until: datetime
    runs: Readmitted
    overtaken: tuple[str, ...]

    @property
    def whom(self) -> str:
        """Whom it concerns, in words."""
        return f"team {self.extension.team}" if self.extension.team else "all teams"


def extend(db: Connection, slug: str, close: Close, decision: Decision) -> Extended:
    """Let a phase close later for one team or for all, or undo this in part or whole.

    Late runs that are in time then are late no longer, as far as their team has a slot.

    raises  Mistake, for an unknown phase or team, an instant that is over or before that of the
            task's file (for a team: of all), or if the phase would be open while another is, or
            its scores are shown, or its labels are known to anybody
    """
    old = store.registered(db, slug, lock=True)
    team = None if close.team is None else store.team(db, close.team).name
    plain = parse(old.config, slug)
    least = _phase(slug, plain.phases if team is None else old.task.phases, close.phase)
    mine = (old.task if team is None else phases_of(old, team)).phase(close.phase) or least
    _sound(slug, close, least, mine)
    if close.until > mine.closes:
        _longer(db, old.task, mine, close, decision)
    before = entries(db, slug, decision.at)
    found = Extension(close.phase, team, least.closes, close.until, decision.why, decision.at)
    store.extend(db, slug, found)
    new = store.registered(db, slug)
    if wrong := collision(new):
        raise Mistake(f"nothing was extended: {wrong}", mend=_instead(slug))
    done = Extended(plain.title, found, mine.closes, Readmitted(), ())
    what = f"phase extend: {close.phase} for {done.whom} to {said(close.until)}"
    store.log(db, slug, what, decision.why, decision.at)
    runs = readmit(db, new, before, decision.why, decision.at)
    stay = tuple(entry.slug for entry in before if overtaken(entry, old, new))
    return Extended(plain.title, found, mine.closes, runs, stay)


def _phase(slug: str, phases: tuple[Phase, ...], name: str) -> Phase:
    for phase in phases:
        if phase.name == name:
            return phase
    hint = did_you_mean(name, spellings([phase.name for phase in phases]))
    there = "it has no phases" if not phases else f"there is no phase {name!r} of it{hint}"
    raise Mistake(f"nothing of {slug!r} was extended: {there}", mend=f"grader phase list {slug}")


def _sound(slug: str, close: Close, least: Phase, mine: Phase) -> None:
    """Mistake if that is no later close, nor a part of one taken back."""
    whom = f" for {close.team!r}" if close.team else ""
    if close.until == mine.closes:
        raise Mistake(
            f"phase {mine.name!r} closes{whom} at {said(mine.closes)} already",
            mend=f"grader phase list {slug}",
        )
    if close.until < least.closes:
        of = "for all teams" if close.team else "by the task's file"
        raise Mistake(
            f"phase {least.name!r} closes {of} at {said(least.closes)}, and can only be extended",
            mend="an earlier phase.closes in task.toml, then: grader task update DIR",
        )


def _longer(db: Connection, task: Task, mine: Phase, close: Close, decision: Decision) -> None:
    """Mistake if that close is over, or whoever sent runs until then might know labels."""
    if close.until <= decision.at:
        raise Mistake(
            f"nothing was extended: {said(close.until)} is over",
            mend=f"grader phase list {task.slug}",
        )
    known = store.disclosures(db, task.slug)
    if (one := spoiled(known, mine, decision.at)) is not None:
        raise Mistake(f"nothing was extended: {disclosed(one)}", mend=as_late(task))


def _instead(slug: str) -> str:
    return (
        "move what is in the way in task.toml, then: grader task update DIR; or take a single "
        f"file: grader submit RUN --task {slug} --team NAME --waive closed --why '…'"
    )


def notice(done: Extended) -> Iterator[str]:
    """Yield the lines to mail to those whom it concerns."""
    found = done.extension
    later = found.closes > done.until
    name = f"Phase {found.phase!r} of {done.title!r}"
    yield f"{name} {'is open longer' if later else 'closes earlier than was said'}"
    yield ""
    yield f"For: {done.whom}"
    yield f"Until now it closed at: {said(done.until)}"
    yield f"It now closes at: {said(found.closes)}"
    yield f"Reason: {found.why}"
