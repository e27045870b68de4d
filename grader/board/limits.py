"""Of how few instances nothing is told, and for how long."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from grader.measures import find
from grader.model import Extension, Phase, Results, Task

FEW = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """Nothing is told of a bin, a step of a curve or what runs share of fewer than ``part``.

    Nor of a subset of fewer than ``subset`` instances, or in which fewer than ``sides`` answers
    are right or wrong; that is ``asked`` of numbers as they are, and not again of rounded ones. At
    most ``digits`` decimals leave (None: as many as there are), and unless ``counts`` no count of
    right answers. What ``ranks`` is told of the whole, whatever it is a mean of. With ``part`` 0
    all is told.
    """

    part: int
    subset: int
    sides: int = 0
    digits: int | None = None
    asked: bool = True
    counts: bool = True
    ranks: str = ""

    @property
    def step(self) -> int:
        """The fewest answers of a bin or of a step of a curve: of fewer few decimals tell all."""
        return self.part if self.counts else max(self.part, GUARDED.part)

    @property
    def too_few(self) -> str:
        """Why nothing is told of a subset; which of the reasons it is would tell something."""
        sides = f", or {self.sides} right or {self.sides} wrong" if self.sides else ""
        return f"fewer than {self.subset} instances{sides}: not shown"

    @property
    def with_others(self) -> str:
        """Why nothing is told of one that is not small itself."""
        few = f"fewer than {self.subset} instances" if self.subset == FEW else "too few instances"
        return f"not shown: with the others it would tell of {few}"


# Why a mean is not told: with the subsets that are, and the whole, it says what one that is not
# told is like; one instance counts in it as much as hundreds.
OF_HIDDEN = "not shown: a mean over subsets of which some have too few instances to be"
ALL = Limits(0, 0)
ALWAYS = Limits(FEW, FEW)  # as long as the gold is secret
GUARDED = Limits(20, 200, 20)  # while runs are scored on it, too


class Counts(NamedTuple):
    """Instances of a part, and at least how many of its answers are right, and wrong."""

    n: int
    right: int = 0
    wrong: int = 0


def withheld(parts: Mapping[str, Counts], limits: Limits, whole: Counts | None = None) -> set[str]:
    """The parts of a whole that are not shown: those that are too small.

    If they are too small together, the next smallest as well, and so on: what is not shown would
    follow from the whole and the parts that are. What the whole has beside its parts is shown
    nowhere, and counts as one of them.

    >>> two, three = {"a": 1, "b": 39, "c": 20}, {"a": 1, "b": 4, "c": 9}
    >>> [sorted(withheld({k: Counts(n) for k, n in x.items()}, ALWAYS)) for x in (two, three)]
    [['a', 'c'], ['a', 'b']]
    >>> sorted(withheld({"a": Counts(5), "b": Counts(9)}, ALWAYS, Counts(15)))
    ['a']
    """
    found = {name for name, counts in parts.items() if counts.n and not _enough(counts, limits)}
    hidden = [parts[name] for name in found]
    if whole and whole.n > sum(counts.n for counts in parts.values()):
        hidden.append(_less(whole, parts.values()))
    if not hidden:
        return found
    # By size and name alone: which of two goes must not tell in which more is right.
    order = sorted((counts.n, name) for name, counts in parts.items() if counts.n)
    for _, name in order:
        if _enough(_sum(hidden), limits):
            break
        if name not in found:
            found.add(name)
            hidden.append(parts[name])
    return found


def _enough(counts: Counts, limits: Limits) -> bool:
    sides = limits.sides if limits.asked else 0
    return counts.n >= limits.subset and min(counts.right, counts.wrong) >= sides


def _sum(each: Iterable[Counts]) -> Counts:
    return Counts(*map(sum, zip(*each, strict=True)))


def _less(whole: Counts, parts: Iterable[Counts]) -> Counts:
    """What a whole has beside its parts."""
    inside = _sum([Counts(0), *parts])
    return Counts(*(a - b for a, b in zip(whole, inside, strict=True)))


def over(phase: Phase, extensions: Iterable[Extension]) -> datetime:
    """The first instant at which nobody can send runs in time any more."""
    own = (one.closes for one in extensions if one.phase == phase.name)
    return max((phase.closes, *own)) + timedelta(minutes=phase.grace)


def in_use(task: Task, extensions: Iterable[Extension], phase: Phase | None, at: datetime) -> bool:
    """Whether runs are still to be scored, in time, on the labels of a phase.

    It is open, or another that is scored on a part of the same is open or still to come. Of a
    task without phases nobody says that it protects its labels: it takes any number of runs.
    """
    split = phase.split if phase else "all"
    known = tuple(extensions)
    return any(
        at < over(other, known) and ("all" in (split, other.split) or split == other.split)
        for other in task.phases
    )


def limits_of(results: Results, at: datetime, *, asked: bool = True) -> Limits:
    """Of how few instances nothing is told of a phase, or of a task without any."""
    phase = None if results.gold.public(at) else results.phase
    return limits_in(results.task, phase, watched=results.guarded, asked=asked)


def limits_in(task: Task, phase: Phase | None, *, watched: bool, asked: bool = True) -> Limits:
    """The same of a phase whose gold is secret; None: of a task without any.

    watched  whether runs are still scored on its labels
    """
    strict = replace(GUARDED, digits=task.ranking.digits, asked=asked)
    found = replace(strict if watched else ALWAYS, ranks=find(task.primary).key)
    if phase is None or phase.digits is None:
        return found
    return replace(found, digits=phase.digits, counts=False)


def guarded(results: Results, at: datetime) -> bool:
    """Whether a task's runs tell no more than ``GUARDED`` lets through.

    results  of a phase, or runs that came before there were any, with all phases of the task
    """
    if results.gold.public(at):
        return False
    return in_use(results.task, results.extensions, results.phase, at)
