"""What a sender is told about a file, as lines of text."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from grader import admission, check
from grader.instants import said
from grader.model import Phase, Problem, Rejected, Slots
from grader.plural import counted

SEPARATE = 3  # lines of one mistake said one by one; more are grouped
GROUPS = 12  # columns of one mistake told apart
RANGES = 12  # ranges of lines shown in a group


def report(name: str, rejected: Rejected) -> Iterator[str]:
    """Yield every problem of a file, a mistake at a time, each with how to mend it."""
    total = len(rejected.problems)
    yield f"{name}: refused, {counted(total, 'problem')}"
    by_code: dict[str, dict[str | None, list[Problem]]] = {}
    for problem in rejected.problems:
        by_code.setdefault(problem.code, {}).setdefault(problem.field, []).append(problem)
    for code, by_field in by_code.items():
        groups = list(by_field.values())
        for same in groups[:GROUPS]:
            yield from _alike(name, same)
        if more := sum(map(len, groups[GROUPS:])):
            yield f"    and {more} more in other columns"
        yield f"    → {mend(code)}"
    if rejected.slots:
        yield f"  quota: {quota(rejected.slots)}"


def mend(code: str) -> str:
    """What its sender can do about a problem."""
    return {**check.MENDS, **admission.MENDS}.get(code, "Mend the line.")


def quota(slots: Slots) -> str:
    """What a team may still send, in words.

    >>> quota(Slots("2 runs in all", 2, 1, None, "none is left"))
    '2 runs in all: 2 used in all; none is left'
    """
    when = f"the next from {said(slots.next)}" if slots.next else slots.why
    today = f", {slots.today} of the day" if slots.daily else ""
    return (
        f"{slots.rule}: {slots.used} used in all{today}; {'the next now' if slots.now else when}"
    )


def _alike(name: str, same: Sequence[Problem]) -> Iterator[str]:
    """Yield the problems of one code and column: one by one, or one and the lines of the rest."""
    rest = [p.line for p in same[1:] if p.line]
    if len(same) <= SEPARATE or not rest:
        yield from (f"  {where(name, p)}: {p.code}: {p.message}" for p in same)
    else:
        yield f"  {where(name, same[0])}: {same[0].code}: {same[0].message}"
        yield f"    and likewise on {lines(rest)} ({len(same) - 1} more)"


def where(name: str, problem: Problem) -> str:
    return f"{name}:{problem.line}" if problem.line else name


def lines(numbers: Sequence[int]) -> str:
    """Line numbers as ranges.

    >>> lines([3, 7, 8, 9, 12]), lines([4])
    ('lines 3, 7–9, 12', 'line 4')
    """
    each = sorted(set(numbers))
    runs = [
        [number for _, number in group]
        for _, group in groupby(enumerate(each), key=lambda pair: pair[1] - pair[0])
    ]
    texts = [f"{r[0]}–{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs[:RANGES]]
    texts += ["…"] if len(runs) > RANGES else []
    return f"line{'s' if len(each) > 1 else ''} {', '.join(texts)}"


def terms(phase: Phase) -> dict[str, str]:
    """A phase's rules in words, by what each is about."""
    seen = {
        "none": "nobody but the organisers",
        "own": "the team that sent the run",
        "teams": "the teams",
        "public": "everybody",
    }[phase.visible]
    until = f" until {said(phase.reveal)}, then everybody" if phase.reveal else ""
    if phase.visible == "public":  # a reveal changes at most what is told of subsets
        when = f"on subsets from {said(phase.reveal)}" if phase.reveal else "but not on subsets"
        until = "" if phase.subsets else f", {when}"
    grace = f"promised files {phase.grace} minutes longer" if phase.grace else ""
    late = {"refuse": "refused", "unofficial": "taken, unofficial and not ranked"}[phase.late]
    found = {
        "quota": admission.quota_rule(phase),
        "scores": f"seen by {seen}{until}",
        "late runs": ", ".join(filter(None, (late, grace))),
    }
    if phase.names == "pseudonyms":
        found["names"] = f"pseudonyms until {said(phase.reveal)}" if phase.reveal else "pseudonyms"
    if phase.split != "all":
        found["counts"] = f"the {phase.split} part of the instances"
    if phase.size:
        found["largest"] = f"{phase.size:,} bytes"
    return found
