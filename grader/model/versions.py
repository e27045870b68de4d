"""Gold versions beside each other, and official results that are frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Drop:
    """A dropped instance, or one that was restored. The id is no secret; its answer is."""

    id: str
    reason: str
    who: str
    when: datetime
    post_hoc: bool


@dataclass(frozen=True, slots=True)
class Version:
    """A gold version, and in counts of instances how it differs from the one before it.

    ``labels`` changed what is right, ``moved`` their subset, cluster or split; of ``judged`` it is
    said for the first time, or of more answers, ``unjudged`` wait again; ``added`` are new ids and
    ``removed`` such as are gone.
    ``post_hoc``: one of these was decided after scores had been seen. ``runs`` were in by then.
    ``seen`` maps each phase (empty: none) of which the public could see scores under the version
    before, when this one came, to the decimals that were shown.
    """

    version: int
    registered: datetime
    reason: str
    who: str
    commitment: str
    n: int
    scored: int
    runs: int = 0
    labels: int = 0
    moved: int = 0
    judged: int = 0
    unjudged: int = 0
    added: int = 0
    removed: int = 0
    dropped: tuple[Drop, ...] = ()
    restored: tuple[Drop, ...] = ()
    post_hoc: bool = False
    seen: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """A run on a board (``all`` or a subset) before and after; None: undefined, or unranked.

    While answers are not judged yet, its value may be the least or the most of ``may``.
    """

    board: str
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    may_before: tuple[float, float] | None = None
    may_after: tuple[float, float] | None = None

    @property
    def changed(self) -> bool:
        before = self.before, self.may_before, self.rank_before
        return before != (self.after, self.may_after, self.rank_after)


@dataclass(frozen=True, slots=True)
class Difference:
    """A run before and after: on the ``whole`` board, and on those of subsets.

    ``changed`` counts its values of any measure that are others now.
    """

    run: str
    team: str
    name: str
    phase: str
    whole: Moved
    subsets: tuple[Moved, ...]
    changed: int


@dataclass(frozen=True, slots=True)
class Reinstated:
    """The ranks on the whole board if a dropped instance counted, by the slug of the run.

    ``ranks`` are those that would be; ``ranges`` the best and the worst that each run might have,
    whoever is right on the instance. Either is empty where it is not known, or not to be told.
    """

    id: str
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
