"""What a feed says of a task: what happened to it by the instant of its pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from grader.board import changes
from grader.site.frozen import official
from grader.site.sheets import Contest

BOARD = "index.html"


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened to a task: ``id`` stays, ``link`` is within its folder."""

    id: str
    at: datetime
    title: str
    about: str
    link: str


def news(contest: Contest) -> tuple[News, ...]:
    """What happened to a task by the instant of its snapshot, the newest first.

    Gold versions and their release, frozen results, phases that closed or were revealed.
    """
    found = (one for one in _news(contest) if one.at <= contest.at)
    return tuple(sorted(found, key=lambda one: (one.at, one.id), reverse=True))


def _news(contest: Contest) -> Iterator[News]:
    results = contest.now.results

    def made(kind: str, at: datetime, title: str, about: str = "", link: str = BOARD) -> News:
        return News(identity(contest, kind), at, title, about, link)

    for version in results.versions:
        said = "; ".join((*changes(version), version.reason))
        title = f"Gold version {version.version}"
        yield made(f"gold {version.version}", version.registered, title, said, "versions.html")
    if results.gold.released is not None:
        title = f"Gold version {results.gold.version} is public"
        yield made(f"released {results.gold.version}", results.gold.released, title)
    for one in official(contest):
        release = one.release
        title, link = f"Official results {release.name}", f"release/{one.address}.html"
        yield made(f"frozen {release.name}", release.at, title, release.why, link)
    for on in contest.sheets:
        phase, link = on.phase, f"phase/{on.address}.html"
        if phase is None:
            continue
        title = f"Phase {phase.name} closed"
        yield made(f"closed {phase.name}", phase.closes, title, link=link)
        if phase.reveal is not None:
            title = f"Scores of phase {phase.name} are public"
            yield made(f"revealed {phase.name}", phase.reveal, title, link=link)


def identity(contest: Contest, kind: str = "") -> str:
    """A URN that stays: of the task by its first gold's commitment, and of what is told of it."""
    results = contest.now.results
    first = results.versions[0] if results.versions else results.gold
    return uuid5(NAMESPACE_URL, f"urn:grader:{first.commitment}:{contest.slug}:{kind}").urn


def updated(contest: Contest) -> datetime:
    """When the last of it happened; before anything did, when the gold was registered."""
    return max((one.at for one in news(contest)), default=contest.now.results.gold.registered)
