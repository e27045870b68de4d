"""Templates and a snapshot in, pages out. Pure: no clock, nothing written.

A page is a file under templates/pages/. Its path is its address: ``{task}``, ``{run}``,
``{subset}``, ``{phase}``, ``{release}``, ``{picture}``, ``{campaign}`` and ``{team}`` in a name
make one page for each. To add a page, add a template.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, starmap
from operator import itemgetter
from typing import TypeVar

from jinja2 import Environment

from grader.data import folder
from grader.model import Snapshot
from grader.publishing import Page
from grader.site import comparing, exports, newest, released, sheets, text
from grader.site.campaigns import places, programmes
from grader.site.crew import Work, shared_out
from grader.site.environment import STATIC, environment
from grader.site.lone import Lone, lone
from grader.site.pictures import Picture
from grader.site.scopes import Scope, of_pictures, of_run, scopes
from grader.site.sheets import Contest
from grader.site.tables import profile

_PAGES = "pages/"
_PARTS = 32  # in which processes take what is alike: asking takes longer than many a page
Alike = TypeVar("Alike")


def render(snapshot: Snapshot, mark: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield every file of the site: its path and its bytes.

    snapshot  what its readers may see: it has gone through ``board.visible``
    mark      what stands on top of every page

    The same snapshot gives the same bytes.
    """
    for path, content, _ in renewed(snapshot, mark, {}):
        if content is not None:
            yield path, content


def renewed(snapshot: Snapshot, mark: str, known: Mapping[str, str]) -> Iterator[Page]:
    """Yield the same, without the bytes of what is known by its key to be as it would be made.

    known  the keys of pages, by path
    """
    made = sheets.contests(snapshot)
    env = environment(folder("templates"))
    found = env.list_templates(filter_func=lambda name: name.startswith(_PAGES))
    names = [name.removeprefix(_PAGES) for name in found]
    site = _Site(env, made, _shared(snapshot, made, mark), names, _by_key(known))
    for pages in shared_out(list(site.works())):
        yield from pages
    for file in sorted((folder("templates") / STATIC).iterdir()):
        yield Page(f"{STATIC}{file.name}", file.read_bytes())


def _by_key(known: Mapping[str, str]) -> Mapping[str, Sequence[Page]]:
    """The pages that are known, by the key of what they are made of."""
    found: dict[str, list[Page]] = defaultdict(list)
    for path, key in known.items():
        found[key.partition(".")[0]].append(Page(path, None, key))
    return found


def _shared(snapshot: Snapshot, made: Sequence[Contest], mark: str) -> Scope:
    """What every page may see, but for those of runs."""
    campaigns = programmes(snapshot.campaigns, made)
    every = [on for contest in made for on in contest.sheets]
    return {
        "mark": mark,
        "campaigns": campaigns,
        "places": places(campaigns),
        "dry_runs": {slug for programme in campaigns for slug in programme.campaign.dry_runs},
        "contests": made,
        "sheets": [contest.now for contest in made],
        "last": newest.latest(every),
        "newer": newest.newer(every),
    }


@dataclass(frozen=True, slots=True)
class _Site:
    """The templates, the names of those of pages, and what all of them are made of.

    ``before`` has pages of runs as they were made before, by the key of what they are made of.
    """

    env: Environment
    made: Sequence[Contest]
    shared: Scope
    names: Sequence[str]
    before: Mapping[str, Sequence[Page]]

    def works(self) -> Iterator[Work]:
        """Yield what there is to make."""
        yield from self.of_many()
        for contest in self.made:
            for runs in _parts(tuple(lone(contest, self.shared["mark"]))):
                yield partial(self.of_runs, runs)

    def of_many(self) -> Iterator[Work]:
        """Yield what there is to make that is not of one run alone, what takes long first."""
        for contest in self.made:
            for files in (exports.files, comparing.files, released.files):
                yield partial(_files, files, contest)
            yield partial(self.pictures, contest)
        every = scopes(self.names, self.made, self.shared["campaigns"])
        for _, alike in groupby(every, itemgetter(0)):
            for each in _parts(tuple(alike)):
                yield partial(self.pages, each)

    def pages(self, each: Iterable[tuple[str, str, Scope]]) -> Sequence[Page]:
        return [
            Page(address, self._content(name, address, {**self.shared, **scope}))
            for name, address, scope in each
        ]

    def pictures(self, contest: Contest) -> Sequence[Page]:
        """The pages and files of the pictures of a board."""
        return self.pages(of_pictures(self.names, contest, partial(_drawn, self.env)))

    def of_runs(self, runs: Sequence[Lone]) -> Sequence[Page]:
        return [page for one in runs for page in self.of_run(one)]

    def of_run(self, one: Lone) -> Sequence[Page]:
        """All files of a run, or that they stay: if none is gone."""
        key = one.key
        before = self.before.get(key, ())
        if before and before[0].key == f"{key}.{len(before)}":
            return before
        table = profile(one.on, one.entry)
        found: list[tuple[str, bytes]] = [
            (address, self._content(name, address, {"mark": self.shared["mark"], **scope}))
            for name, address, scope in of_run(self.names, one, table, partial(_drawn, self.env))
        ]
        found += comparing.of_run(one, table)
        return [Page(path, content, f"{key}.{len(found)}") for path, content in found]

    def _content(self, name: str, address: str, scope: Scope) -> bytes:
        template = self.env.get_template(f"{_PAGES}{name}")
        return text.printable(template.render(**scope, root="../" * address.count("/")))


def _parts(things: Sequence[Alike]) -> Iterator[Sequence[Alike]]:
    """Yield the things in their order, some at a time."""
    some = -(-len(things) // _PARTS)
    for start in range(0, len(things), some or 1):
        yield things[start : start + some]


def _files(
    of: Callable[[Contest], Iterator[tuple[str, bytes]]], contest: Contest
) -> Sequence[Page]:
    return list(starmap(Page, of(contest)))


def _drawn(env: Environment, picture: Picture) -> Picture:
    """The picture with what its macros print, for its page and its file."""
    parts, room = (
        env.get_template(f"macros/pictures/{name}.html").module for name in ("parts", picture.kind)
    )
    return replace(picture, head=parts.head(picture), body=room.draw(picture))  # type: ignore[attr-defined]
