"""What is stored about a task, as a board, a page or an export sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from grader.model.campaign import Campaign, Naming, Registration
from grader.model.comparison import Beside, Versus
from grader.model.discretion import Amendment, Dispute, Extension, Since
from grader.model.graded import Graded
from grader.model.itemised import Itemised, OpenGold
from grader.model.judging import Witness
from grader.model.phase import Phase, Split
from grader.model.releases import Release
from grader.model.task import Task
from grader.model.upload import About, Flag
from grader.model.versions import Drop, Reinstated, Version


@dataclass(frozen=True, slots=True)
class Team:
    """Who sends runs in: its name as typed, the slug minted from it, and its other names.

    All of a person is gone from a team that was ``erased``.
    """

    name: str
    slug: str
    created: datetime
    aliases: tuple[str, ...] = ()
    registration: Registration = field(default_factory=Registration)
    erased: datetime | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done to a task, as its log has it."""

    what: str
    why: str
    who: str
    at: datetime


Dimensions = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


@dataclass(frozen=True, slots=True)
class Share:
    """How many instances of a part of the gold count, in all and in each subset."""

    scored: int
    dimensions: Dimensions = ()


@dataclass(frozen=True, slots=True)
class GoldSummary:
    """A gold version without its answers.

    ``dimensions`` lists (name, ((value, scored instances), …)); ``commitment`` is the HMAC
    that is revealed with the gold. ``splits`` has the counts of the public and the private part,
    if it has such. In the results of a phase ``scored`` and ``dimensions`` are those of its part,
    and ``outside`` counts the scored instances that are not in it. From ``released`` on the gold
    is public; None: it is secret.
    """

    version: int
    commitment: str
    registered: datetime
    reason: str
    n: int
    scored: int
    dimensions: Dimensions = ()
    drops: tuple[Drop, ...] = ()
    splits: Mapping[Split, Share] = field(default_factory=dict)
    outside: int = 0
    released: datetime | None = None

    @property
    def whole(self) -> int:
        """All instances that are scored, in any phase."""
        return self.scored + self.outside

    def public(self, at: datetime) -> bool:
        """Whether its labels are public at an instant."""
        return self.released is not None and self.released <= at


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """What a run is called where nobody is to know whose it is.

    The team, its address, and the run's, which no team or run ever has otherwise.
    """

    team: str
    team_slug: str
    run: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored run. ``flags`` maps each flag to its reason; ``settings`` ends each signature.

    A held run (the scorer broke on it) has no grading yet. ``waived`` are the codes of problems
    that organisers overlook in it, ``amendments`` the files that it had before, the oldest first.
    ``consent``: its team lets it be archived. ``team_slug`` is the address of the team.
    ``pseudonym`` is what it has in a phase with such; None of a run that goes by it already.
    """

    slug: str
    team: str
    name: str
    phase: str
    filename: str
    size: int
    sha256: str
    received: datetime
    flags: Mapping[Flag, str]
    graded: Graded | None
    settings: str
    about: About = field(default_factory=About)
    waived: tuple[str, ...] = ()
    amendments: tuple[Amendment, ...] = ()
    consent: bool = False
    team_slug: str = ""
    pseudonym: Pseudonym | None = None

    @property
    def held(self) -> bool:
        return self.graded is None


@dataclass(frozen=True, slots=True)
class Results:
    """A task with its current gold version and every run's scores under it.

    ``versus`` compares the ranked runs of each board, by its subset (``all`` or
    ``dimension=value``), and ``beside`` has the reference rows of each subset, where somebody
    asked for them. ``phase``: the one whose runs these are; None: all runs of the task.
    ``unseen`` counts the runs of a phase that the viewer may not see; None: they are seen.

    Of the past, where somebody asked for it: the gold's ``versions``, the oldest first, the
    results under all but the newest (``earlier``, with no scores but those that rank), the ranks
    if a dropped instance counted (``dropped``), frozen results (``releases``), and of a phase that
    is over its board as of the close (``closed``). ``since`` is what that is made of; None: nobody
    asked, or it is made already.
    ``namings``: what its teams were called before, the oldest first.
    ``extensions`` are those that stand, ``disputes`` in the order of their numbers. ``witness``
    says how it was judged, where somebody asked for it; None too for a task that is not.
    ``golds`` are versions with their labels, the oldest first, and ``itemised`` runs under the
    last of them, where somebody asked for these; ``kept_back`` counts runs not shown so.
    ``guarded``: runs are still scored on its labels, so less is told of subsets and parts.
    Unless ``counted``, counts of right answers are kept back, and numbers are rounded.
    ``veiled``: its runs go by pseudonyms, and what would tell whose they are is gone.
    ``seal`` is a secret of the task: of what is kept apart from readers, nothing is told by a
    digest that nobody can make without it.
    """

    task: Task
    gold: GoldSummary
    entries: tuple[Entry, ...]
    versus: Mapping[str, Versus] = field(default_factory=dict)
    beside: Mapping[str, Beside] = field(default_factory=dict)
    phase: Phase | None = None
    unseen: int | None = None
    versions: tuple[Version, ...] = ()
    earlier: "tuple[Results, ...]" = ()
    dropped: tuple[Reinstated, ...] = ()
    releases: tuple[Release, ...] = ()
    namings: tuple[Naming, ...] = ()
    extensions: tuple[Extension, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    witness: Witness | None = None
    golds: tuple[OpenGold, ...] = ()
    itemised: tuple[Itemised, ...] = ()
    kept_back: int = 0
    guarded: bool = False
    counted: bool = True
    veiled: bool = False
    since: Since | None = None
    closed: "Closed | None" = None
    seal: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that may be shown, read in one go: the results of each task, or of each phase."""

    tasks: tuple[Results, ...]
    as_of: datetime
    campaigns: tuple[Campaign, ...] = ()


class Row(NamedTuple):  # there are very many
    """A run's place on a board: a rank, or None and why."""

    entry: Entry
    rank: int | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """The rows of one subset, ranked ones first; ``rule`` says in words how they are ranked."""

    subset: str
    ranked: tuple[Row, ...]
    unranked: tuple[Row, ...]
    rule: str

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.ranked + self.unranked


@dataclass(frozen=True, slots=True)
class Closed:
    """The whole ``board`` of a phase as of its close (``at``), by the rule and names of today.

    It is of the runs that were in by then, with the marks of then, under the gold ``version`` that
    stood, at ``digits`` decimals. ``gone`` were ranked on it and are withdrawn since: they have no
    rank and no scores. ``scored`` of its runs were scored again under that gold since. ``why``
    there is no board (None); else empty.
    """

    at: datetime
    version: int
    digits: int
    board: Board | None
    gone: tuple[Row, ...] = ()
    scored: int = 0
    why: str = ""
