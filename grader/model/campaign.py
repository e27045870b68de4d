"""A campaign: the tasks that share one team list, and who registered for them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Registration:
    """What a team said when it registered: for organisers alone, never on a page or in an export.

    ``tracks`` are the slugs of the tasks that it entered; ``consent``: whether its runs may be
    archived, None where nobody asked; ``consented``: since when that is so.
    """

    affiliation: str = ""
    contact: str = ""
    tracks: tuple[str, ...] = ()
    consent: bool | None = None
    consented: datetime | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """A team that was called ``before`` is ``after``: renamed, or merged into another."""

    before: str
    after: str
    merged: bool
    why: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A task of a campaign by its slug, and what it is in it.

    A ``dry_run`` stays out of the campaign's counts and its results.
    """

    slug: str
    track: str = ""
    language: str = ""
    subtask: str = ""
    dry_run: bool = False

    @property
    def kind(self) -> tuple[str, ...]:
        """Track, language and subtask, as far as they are given."""
        return tuple(filter(None, (self.track, self.language, self.subtask)))


@dataclass(frozen=True, slots=True)
class Campaign:
    """Tasks in the order in which they are shown; one need not be registered yet."""

    slug: str
    title: str
    description: str = ""
    tasks: tuple[Member, ...] = ()

    @property
    def dry_runs(self) -> frozenset[str]:
        """The slugs of the tasks that are dry runs."""
        return frozenset(member.slug for member in self.tasks if member.dry_run)
