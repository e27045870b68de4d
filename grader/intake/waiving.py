"""What organisers overlook in an upload: which problems, and in which phase it then is."""

import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from grader import admission, check
from grader.admission import INSTANTS, Entrance, let_in
from grader.disclosure import as_late, disclosed, spoiled
from grader.errors import Mistake
from grader.model import Disclosure, Problem, Task, Upload

WAIVABLE = (*admission.WAIVABLE, *check.WAIVABLE)


def lawful(task: Task, sent: Upload) -> None:
    """Check what is to be overlooked in an upload.

    raises  Mistake, for a problem that cannot be overlooked, or an unknown phase
    """
    for code in sent.waived:
        if code not in WAIVABLE or (code == "missing-id" and task.kind == "interval"):
            raise Mistake(*_why_not(code), mend=_mended(task, sent))
    if sent.waived and sent.phase and task.phase(sent.phase) is None:
        known = ", ".join(repr(phase.name) for phase in task.phases) or "none"
        raise Mistake(
            f"there is no phase {sent.phase!r} of {task.slug!r}; there is {known}",
            mend=f"grader phase list {task.slug}",
        )


def _why_not(code: str) -> tuple[str, ...]:
    known = ", ".join(WAIVABLE)
    if code == "missing-id":
        return ("missing-id cannot be waived here: no interval is the worst that there is",)
    if code in {**check.MENDS, **admission.MENDS}:
        said = f"{code} cannot be waived: what the file says would have no sure meaning"
        return (
            said,
            f"these can be: {known}",
            "with the team's word, mend the file and submit that",
        )
    near = get_close_matches(code, WAIVABLE, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"no problem is called {code!r}{hint}", f"these can be waived: {known}"


def _mended(task: Task, sent: Upload) -> str:
    return f"grader submit MENDED --task {task.slug} --team {shlex.quote(sent.team)}"


def fair(task: Task, found: Sequence[Disclosure], into: Entrance, sent: Upload) -> None:
    """Mistake if labels were known when an upload came whose instant is overlooked."""
    if (one := spoiled(found, into.phase, sent.received)) is not None:
        raise Mistake(f"{into.waived} cannot be waived: {disclosed(one)}", mend=as_late(task))


def placed(task: Task, sent: Upload, found: Entrance | Problem) -> Entrance | Problem:
    """Where an upload goes, its instant overlooked if it is to be.

    raises  Mistake, if it is, and the file came in time for a phase that is not named
    """
    if not set(INSTANTS) & set(sent.waived):
        return found
    if isinstance(found, Entrance) and not found.late and not sent.phase:
        is_ = f"phase {found.phase.name!r} takes it" if found.phase else "there are no phases"
        code = next(code for code in INSTANTS if code in sent.waived)
        raise Mistake(
            f"{code} need not be waived: {is_} at that instant",
            mend=f"leave out --waive {code}, or say which phase is meant: --phase NAME",
        )
    return let_in(task, sent.phase, found, sent.received, sent.waived)
