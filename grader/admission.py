"""Whether an upload may become a run now: phases, deadlines, quotas. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from grader.instants import said
from grader.model import (
    Disclosure,
    Extension,
    Past,
    Phase,
    Problem,
    Rejected,
    Slots,
    Task,
)
from grader.plural import counted
from grader.tasks.filenames import fits

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MENDS: Mapping[str, str] = {
    "not-open": "Send it again when the phase is open.",
    "closed": "Ask the organisers whether they take it.",
    "quota": "Where an instant is named, send it again from then on; else no more can be sent.",
    "too-many-refused": "Check files with `grader check` before they are sent.",
    "bad-name": "Name the file as the task asks; what the run says need not change.",
}
# What organisers may overlook in a run of what the door has against it.
WAIVABLE = ("not-open", "closed", "quota", "too-many-refused", "too-large", "bad-name")
INSTANTS = ("closed", "not-open")  # of these codes: the file came at the wrong time
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Entrance:
    """The phase that takes an upload (None: the task has none), late or in time.

    ``waived`` is the code of what is overlooked in the instant at which it came, if anything is.
    ``known`` says which labels were by then; such a run is late whatever is open.
    """

    phase: Phase | None
    late: bool = False
    committed: bool = False
    waived: str = ""
    known: Disclosure | None = None


def entrance(task: Task, at: datetime, digests: Collection[str], past: Past) -> Entrance | Problem:
    """Where an upload of that instant goes, or why it goes nowhere.

    Bytes that were promised before a close go into that phase while its grace lasts, whatever is
    open by then; after the last close, into that phase unofficially if it takes late runs.

    digests  SHA-256 of the file, and of what it was sent in
    """
    if not task.phases:
        return Entrance(None)
    for phase in task.phases:
        promised = any((phase.name, digest) in past.committed for digest in digests)
        if promised and phase.closes <= at < phase.closes + timedelta(minutes=phase.grace):
            return Entrance(phase, committed=True)
    for phase in task.phases:
        if phase.opens <= at < phase.closes:
            return Entrance(phase)
    over = [phase for phase in task.phases if phase.closes <= at]
    if over and over[-1].late == "unofficial":
        return Entrance(over[-1], late=True)
    return _shut(task, over, at)


def _shut(task: Task, over: list[Phase], at: datetime) -> Problem:
    coming = _coming(task, at)
    came = f"it came in at {said(at)}"
    opens = f"phase {coming.name!r} opens at {said(coming.opens)}" if coming else ""
    if not over:
        return Problem("not-open", f"{opens}; {came}")
    closed = f"phase {over[-1].name!r} closed at {said(over[-1].closes)}"
    return Problem("closed", f"{closed}; {came}" + (f"; {opens}" if opens else ""))


def _coming(task: Task, at: datetime) -> Phase | None:
    return next((phase for phase in task.phases if phase.opens > at), None)


def let_in(
    task: Task, name: str, found: Entrance | Problem, at: datetime, codes: Collection[str]
) -> Entrance | Problem:
    """Where an upload goes if organisers overlook the instant at which it came.

    Into the phase of that name; without one into the phase whose close it missed, or else whose
    opening it did not wait for.

    found  what the door says to it
    codes  of the problems that are overlooked
    """
    over = [phase for phase in task.phases if phase.closes <= at]
    missed = over[-1] if over and "closed" in codes else _coming(task, at)
    phase = task.phase(name) if name else missed
    if phase is None:
        return found
    if phase.opens <= at < phase.closes:
        return Entrance(phase)
    code = "closed" if phase.closes <= at else "not-open"
    if code in codes:
        return Entrance(phase, waived=code)
    shut = [phase] if code == "closed" else []
    return found if isinstance(found, Problem) else _shut(task, shut, at)


def extension(found: Iterable[Extension], team: str, phase: str, at: datetime) -> Extension | None:
    """The extension for a team alone by which a run of that instant is in time; None: none."""
    mine = (one for one in found if one.team == team and one.phase == phase)
    return next((one for one in mine if one.before <= at < one.closes), None)


def slots(phase: Phase, past: Past, at: datetime, *, late: bool = False) -> Slots:
    """How far a team has used what a phase allows, and when one more run is possible.

    Accepted runs alone count; late ones by themselves; withdrawn ones too, unless nobody saw
    any score.
    """
    blind = _blind(phase, at)
    mine = sorted(
        run.received
        for run in past.runs
        if run.phase == phase.name and run.late == late and not (blind and run.withdrawn)
    )
    days = mine if phase.day == "rolling" else [_midnight(moment) for moment in mine]
    here = at if phase.day == "rolling" else _midnight(at)
    soonest = at
    if phase.per_day is not None:
        soonest = max(at, _room(days, here, DAY, phase.per_day))
    free: datetime | None = soonest
    end = phase.closes if at < phase.closes else phase.closes + timedelta(minutes=phase.grace)
    why = ""
    if phase.runs is not None and len(mine) >= phase.runs:
        free, why = None, "none is left"
    elif not late and soonest >= end:
        free, why = None, "none is possible before the close"
    today = _crowd(days, here, DAY)
    daily = phase.per_day is not None
    return Slots(quota_rule(phase, at), len(mine), today, free, why, free == at, daily)


def endless(phase: Phase) -> Phase:
    """A phase that never closes: how many runs there may be, and not until when."""
    return replace(phase, closes=datetime.max.replace(tzinfo=UTC))


def shut(phase: Phase, past: Past, at: datetime) -> Slots:
    """How far a team has used a phase that takes nothing at that instant."""
    found = slots(phase, past, at)
    if at < phase.opens:
        return replace(found, next=phase.opens, why="", now=False)
    return replace(found, next=None, why="the phase is closed", now=False)


def nearest(task: Task, at: datetime) -> Phase:
    """Where none is open: the phase that closed last, else the one that opens next."""
    over = [phase for phase in task.phases if phase.closes <= at]
    return over[-1] if over else task.phases[0]


def _midnight(moment: datetime) -> datetime:
    """The first instant of a moment's day of UTC."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _crowd(moments: Sequence[datetime], at: datetime, span: timedelta) -> int:
    """The most moments in any half-open window of that length that holds ``at``.

    Later ones count too: what came in last may have been stamped first.
    """
    near = [moment for moment in moments if at - span < moment < at + span]
    starts = [at, *(moment for moment in near if moment <= at)]
    return max(sum(s <= moment < s + span for moment in near) for s in starts)


def _room(moments: Sequence[datetime], at: datetime, span: timedelta, limit: int) -> datetime:
    """The first instant from ``at`` on at which one moment more keeps to the limit."""
    ends = sorted(moment + span for moment in moments if moment + span > at)
    return next(t for t in (at, *ends) if _crowd(moments, t, span) < limit)


def _blind(phase: Phase, at: datetime) -> bool:
    """Whether no score was shown to anybody: then a withdrawn run told its team nothing."""
    return phase.visible == "none" and not phase.sees("public", at)


def quota_rule(phase: Phase, at: datetime | None = None) -> str:
    """How many runs a team may send, in words; without an instant, while the phase is open."""
    day = "a day of UTC" if phase.day == "utc" else "in any 24 hours"
    parts = [f"{counted(phase.runs, 'run')} in all"] if phase.runs is not None else []
    parts += [f"{counted(phase.per_day, 'run')} {day}"] if phase.per_day is not None else []
    if not parts:
        return "as many runs as you like"
    gone = "do not count" if _blind(phase, at or phase.opens) else "count too"
    return f"{' and '.join(parts)}; refused files do not count, withdrawn runs {gone}"


def exhausted(found: Slots, at: datetime) -> Problem | None:
    """Why there is no slot left, with the instant of the next; None if there is one."""
    if found.next is not None and found.next <= at:
        return None
    when = f"the next is possible at {said(found.next)}" if found.next else found.why
    today = f" and {found.today} of the day" if found.daily else ""
    used = f"{found.used} in all{today} {'is' if found.used == 1 and not today else 'are'} used"
    return Problem("quota", f"{found.rule}: {used}; {when}")


def too_many_refused(phase: Phase, past: Past, at: datetime) -> Problem | None:
    """Why a team's files are not read for now; None if they are."""
    recent = [moment for moment in past.refused if at - 2 * HOUR < moment]
    if (free := _room(recent, at, HOUR, phase.refused)) <= at:
        return None
    limit = counted(phase.refused, "refused file")
    return Problem(
        "too-many-refused", f"{limit} in an hour are read; the next one at {said(free)}"
    )


def too_large(phase: Phase, size: int) -> Problem | None:
    """Why a file of so many bytes is not read in a phase; None if it is."""
    if phase.size is None or size <= phase.size:
        return None
    return Problem("too-large", f"{size:,} bytes; the phase takes {phase.size:,}")


def misnamed(
    task: Task, filename: str, teams: Iterable[str], found: Found | Rejected
) -> Found | Rejected:
    """What was found of a file, or with it that its name is not as the task asks.

    teams  the names of the team that sent it; without any, every team's would do
    """
    why = fits(task.run.names, filename, teams) if task.run.names else ""
    if not why:
        return found
    others = found.problems if isinstance(found, Rejected) else ()
    return Rejected((Problem("bad-name", why), *others))


def measured(task: Task, at: datetime) -> Phase | None:
    """The phase by whose size a file is checked that may come any time: open, or next, or last."""
    coming = (phase for phase in task.phases if at < phase.closes)
    return next(coming, task.phases[-1] if task.phases else None)
