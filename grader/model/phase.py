"""A phase of a task: when runs are taken, how many, and who sees what of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Split = Literal["all", "public", "private"]
PUBLIC = "public part"  # where the score stands that chooses; subsets have a = in their names
Visible = Literal["none", "own", "teams", "public"]


@dataclass(frozen=True, slots=True)
class Phase:
    """The half-open time [opens, closes) in which a task takes runs, and its rules.

    ``split`` is the part of the gold that counts. Of accepted runs a team may have ``runs`` in
    all and ``per_day`` a day: of UTC, or any 24 hours (``rolling``). ``refused`` uploads an hour
    are answered. Until ``reveal`` (None: for good) scores are seen by nobody (none), by the team
    that sent the run (own), by all teams, or by the public, at ``digits`` decimals (None: the
    task's) and with or without ``subsets``. Bytes whose digest was committed before the close
    may come within ``grace`` minutes after it. ``size`` is in bytes. With ``names`` "pseudonyms"
    nobody but the organisers is told before the reveal who sent a run.
    """

    name: str
    opens: datetime
    closes: datetime
    split: Split = "all"
    runs: int | None = None
    per_day: int | None = None
    day: Literal["utc", "rolling"] = "utc"
    refused: int = 60
    size: int | None = None
    visible: Visible = "public"
    reveal: datetime | None = None
    digits: int | None = None
    subsets: bool = True
    late: Literal["refuse", "unofficial"] = "refuse"
    grace: int = 0
    names: Literal["teams", "pseudonyms"] = "teams"

    def revealed(self, at: datetime) -> bool:
        """Whether the public sees everything of it by then."""
        return self.reveal is not None and at >= self.reveal

    def veiled(self, at: datetime) -> bool:
        """Whether teams have pseudonyms at that instant, for all but the organisers."""
        return self.names == "pseudonyms" and not self.revealed(at)

    def sees(self, viewer: Visible, at: datetime) -> bool:
        """Whether scores are shown at that instant to the public, all teams, or a run's own."""
        order: tuple[Visible, ...] = ("own", "teams", "public")
        if self.revealed(at):
            return True
        return self.visible != "none" and order.index(viewer) <= order.index(self.visible)


@dataclass(frozen=True, slots=True)
class Sent:
    """A run of a team, as quotas see it; ``beyond``: organisers took it beyond its quota."""

    phase: str
    received: datetime
    withdrawn: bool = False
    late: bool = False
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """What a team sent to a task before: runs, refused uploads, and (phase, SHA-256) promised."""

    runs: tuple[Sent, ...] = ()
    refused: tuple[datetime, ...] = ()
    committed: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Slots:
    """What a team may still send in a phase: the rule in words, and how far it is used.

    ``next`` is the instant from which one more run is possible, now or later; None if there is
    none before the close, and then ``why`` says so. ``now``: it is possible at once. ``today``
    counts those of the day, which matters where the phase is ``daily``.
    """

    rule: str
    used: int
    today: int
    next: datetime | None
    why: str = ""
    now: bool = False
    daily: bool = False
