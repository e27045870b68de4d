"""What each team is handed before the public board."""

from dataclasses import dataclass
from datetime import datetime

from grader.model.itemised import Field, Itemised
from grader.model.results import Entry, Results, Team


@dataclass(frozen=True, slots=True)
class Withheld:
    """A phase (empty: none) of a task of which teams are told nothing yet, and why."""

    task: str
    title: str
    phase: str
    why: str


@dataclass(frozen=True, slots=True)
class Portion:
    """A team's runs in a phase, each with its instances, and the others' figures on these.

    ``results`` has no runs but the team's, with as much of their scores as it may see. ``early``:
    the phase is told of before its reveal.
    """

    results: Results
    runs: tuple[tuple[Entry, Itemised], ...]
    field: Field
    early: bool = False


@dataclass(frozen=True, slots=True)
class Parcel:
    """All that a team is handed, and the instant until which it must keep it to itself.

    ``embargo`` None: until the organisers publish.
    """

    team: Team
    portions: tuple[Portion, ...]
    withheld: tuple[Withheld, ...]
    embargo: datetime | None
