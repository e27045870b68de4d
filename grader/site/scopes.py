"""Which pages the site has: their addresses, and what each is about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grader.site import frozen, nav, sheets, teams
from grader.site.campaigns import Programme
from grader.site.pictures import Picture, of_board, of_run
from grader.site.sheets import Contest

_TASK, _RUN, _PICTURE, _CAMPAIGN = "{task}/", "{run}", "{picture}", "{campaign}"
_TEAM = "{team}"

Scope = Mapping[str, Any]
Draw = Callable[[Picture], Picture]


def scopes(
    names: Sequence[str], made: Sequence[Contest], campaigns: Sequence[Programme], draw: Draw
) -> Iterator[tuple[str, str, Scope]]:
    """Yield the name, the address and the scope of every page that the names stand for.

    Each picture is drawn once, for its page and its files.
    """
    for name in names:
        if _CAMPAIGN in name:
            for programme in campaigns:
                yield name, name.replace(_CAMPAIGN, programme.slug), {"programme": programme}
        elif _TEAM in name:
            for side in teams.sides(made):
                yield name, name.replace(_TEAM, side.slug), {"side": side}
        elif _TASK not in name:
            yield name, name, {}
    of_task = [name for name in names if name.startswith(_TASK)]
    for contest in made:
        yield from _of_task([n for n in of_task if _RUN not in n], contest, draw)
        yield from _of_runs([n for n in of_task if _RUN in n], contest, draw)


def _of_task(
    names: Sequence[str], contest: Contest, draw: Draw
) -> Iterator[tuple[str, str, Scope]]:
    drawn = tuple(map(draw, of_board(contest.now)))
    shared = {"contest": contest, "sheet": contest.now, "drawn": drawn}
    for name in names:
        if not nav.has(contest, name.removeprefix(_TASK)):
            continue
        for key, slug, scope in _each(name, contest, drawn):
            address = name.replace(_TASK, f"{contest.slug}/").replace(key, slug)
            yield name, address, {**shared, **scope}


def _of_runs(
    names: Sequence[str], contest: Contest, draw: Draw
) -> Iterator[tuple[str, str, Scope]]:
    home = f"{contest.slug}/"
    for on in contest.sheets:
        for entry in on.taking_part:
            drawn = tuple(map(draw, of_run(on, entry)))
            last = sheets.latest_of(on, entry)
            scope = {"contest": contest, "sheet": on, "entry": entry, "last": last, "drawn": drawn}
            for name in names:
                address = name.replace(_TASK, home).replace(_RUN, entry.slug)
                if _PICTURE not in name:
                    yield name, address, scope
                    continue
                for one in drawn:
                    yield name, address.replace(_PICTURE, one.name), {**scope, "picture": one}


def _each(
    name: str, contest: Contest, drawn: Sequence[Picture]
) -> Iterator[tuple[str, str, Scope]]:
    """Yield what stands for a place in a name, and what that page is about."""
    if _PICTURE in name:
        yield from ((_PICTURE, one.name, {"picture": one}) for one in drawn)
        return
    key = next((key for key in _PLACES if key in name), None)
    if key is None:
        yield _TASK, f"{contest.slug}/", {}
        return
    for slug, scope in _PLACES[key](contest):
        yield key, slug, scope


_Each = Iterator[tuple[str, Scope]]


def _parts(contest: Contest) -> _Each:
    yield from ((part.slug, {"part": part}) for part in contest.now.shown_parts)


def _phases(contest: Contest) -> _Each:
    yield from ((on.address, {"sheet": on}) for on in contest.sheets if on.address)


def _releases(contest: Contest) -> _Each:
    yield from ((one.address, {"official": one}) for one in frozen.official(contest))


_PLACES: Mapping[str, Callable[[Contest], _Each]] = {
    "{subset}": _parts,
    "{phase}": _phases,
    "{release}": _releases,
}
