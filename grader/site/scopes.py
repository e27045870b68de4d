"""Which pages the site has: their addresses, and what each is about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grader.site import frozen, nav, teams
from grader.site.campaigns import Programme
from grader.site.lone import Lone
from grader.site.pictures import Picture, of_board
from grader.site.pictures import of_run as pictures_of
from grader.site.sheets import Contest
from grader.site.tables import Profile

_TASK, _RUN, _PICTURE, _CAMPAIGN = "{task}/", "{run}", "{picture}", "{campaign}"
_TEAM = "{team}"
_PICTURES = "picture"  # the start of their pages

Scope = Mapping[str, Any]
Draw = Callable[[Picture], Picture]


def scopes(
    names: Sequence[str], made: Sequence[Contest], campaigns: Sequence[Programme]
) -> Iterator[tuple[str, str, Scope]]:
    """Yield the name, the address and the scope of every page that the names stand for.

    But for pages of pictures, and of runs, which are made of less. Boards come first: of a long
    one they take long.
    """
    of_task = [n for n in names if n.startswith(_TASK) and _RUN not in n and _PICTURES not in n]
    for contest in made:
        yield from _of_task(of_task, contest)
    for name in names:
        if _CAMPAIGN in name:
            for programme in campaigns:
                yield name, name.replace(_CAMPAIGN, programme.slug), {"programme": programme}
        elif _TEAM in name:
            for side in teams.sides(made):
                yield name, name.replace(_TEAM, side.slug), {"side": side}
        elif _TASK not in name:
            yield name, name, {}


def _of_task(names: Sequence[str], contest: Contest) -> Iterator[tuple[str, str, Scope]]:
    shared = {"contest": contest, "sheet": contest.now}
    for name in names:
        if not nav.has(contest, name.removeprefix(_TASK)):
            continue
        for key, slug, scope in _each(name, contest):
            address = name.replace(_TASK, f"{contest.slug}/").replace(key, slug)
            yield name, address, {**shared, **scope}


def of_pictures(
    names: Sequence[str], contest: Contest, draw: Draw
) -> Iterator[tuple[str, str, Scope]]:
    """Yield the name, the address and the scope of every page of a board's pictures.

    They are of the newest board whose scores are seen. Each picture is drawn once, for its page
    and its files.
    """
    drawn = tuple(map(draw, of_board(contest.shown)))
    shared = {"contest": contest, "sheet": contest.shown, "drawn": drawn}
    for name in (n for n in names if n.startswith(_TASK) and _RUN not in n and _PICTURES in n):
        address = name.replace(_TASK, f"{contest.slug}/")
        if _PICTURE not in name:
            yield name, address, shared
            continue
        for one in drawn:
            yield name, address.replace(_PICTURE, one.name), {**shared, "picture": one}


def of_run(
    names: Sequence[str], one: Lone, table: Profile, draw: Draw
) -> Iterator[tuple[str, str, Scope]]:
    """Yield the name, the address and the scope of every page of a run.

    table  its scores as printed
    """
    drawn = tuple(map(draw, pictures_of(one.on, one.entry)))
    scope = {
        "contest": one.contest,
        "sheet": one.on,
        "entry": one.entry,
        "last": one.last,
        "table": table,
        "drawn": drawn,
    }
    for name in (name for name in names if _RUN in name):
        address = name.replace(_TASK, f"{one.contest.slug}/").replace(_RUN, one.entry.slug)
        if _PICTURE not in name:
            yield name, address, scope
            continue
        for picture in drawn:
            yield name, address.replace(_PICTURE, picture.name), {**scope, "picture": picture}


def _each(name: str, contest: Contest) -> Iterator[tuple[str, str, Scope]]:
    """Yield what stands for a place in a name, and what that page is about."""
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
