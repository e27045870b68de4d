"""What organisers decide in single cases, and what teams dispute."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from grader.model.phase import Split
from grader.model.upload import Flag


@dataclass(frozen=True, slots=True)
class Extension:
    """A phase closes later than it would, for one team or (None) for all.

    ``before`` is when it would close: by the task's file, or for a team as it does for all.
    """

    phase: str
    team: str | None
    before: datetime
    closes: datetime
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Disclosure:
    """From ``at`` on others than organisers know labels of a part of a gold; ``how``, in words."""

    at: datetime
    how: str
    split: Split = "all"


@dataclass(frozen=True, slots=True)
class Amendment:
    """The file that a run had until organisers put another in its place, why and when."""

    sha256: str
    filename: str
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """A flag that was put on a run after it came, or (not ``on``) taken off it."""

    run: str
    flag: Flag
    on: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Since:
    """What was done to a task's runs after they came, of which the runs themselves tell no more.

    ``marks``, the oldest first, and when a run was last scored again under a gold version
    (``scored``, by version and run).
    """

    marks: tuple[Mark, ...] = ()
    scored: Mapping[tuple[int, str], datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dispute:
    """What somebody objects to, by its number in the task: an instance, a run, or one in a run.

    ``team`` is whose it is, if anybody's; None are ``answer`` and ``answered`` while it is open.
    A viewer who may not read it yet has None in place of its texts.
    """

    number: int
    instance: str | None
    run: str | None
    team: str | None
    said: str | None
    opened: datetime
    answer: str | None = None
    answered: datetime | None = None
