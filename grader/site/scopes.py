"""Which pages the site has: their addresses, and what each is about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grader.site import frozen, nav, teams
from grader.site.campaigns import Programme
from grader.site.lone import Lone
from grader.site.pictures import Picture, of_board
from grader.site.pictures import of_run as pictures_of
from grader.site.sheets import Contest, Sheet
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
    for name in names:
        if nav.has(contest, name.removeprefix(_TASK)):
            for address, scope in _each(name, contest):
                yield name, f"{contest.slug}/{address}", {"contest": contest, **scope}


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


_Each = Iterator[tuple[str, Scope]]


def _each(name: str, contest: Contest) -> _Each:
    """Yield each address within a task that a name stands for, and what that page is about."""
    found: list[tuple[str, Scope]] = [(name.removeprefix(_TASK), {"sheet": contest.now})]
    for key, of in _PLACES.items():
        if key in name:
            found = [
                (address.replace(key, slug), {**scope, **more})
                for address, scope in found
                for slug, more in of(contest, scope["sheet"])
            ]
    yield from found


def _phases(contest: Contest, _: Sheet) -> _Each:
    yield from ((f"{on.address}.", {"sheet": on}) for on in contest.sheets if on.address)


def _past(contest: Contest, now: Sheet) -> _Each:
    """Yield the folders of the phases whose boards are not the one that a task begins with."""
    yield from ((f"{on.address}/", {"sheet": on}) for on in contest.sheets if on is not now)


def _parts(_: Contest, on: Sheet) -> _Each:
    yield from ((part.slug, {"part": part}) for part in on.shown_parts)


def _releases(contest: Contest, _: Sheet) -> _Each:
    yield from ((one.address, {"official": one}) for one in frozen.official(contest))


# The phase first: which subsets have a board hangs on it.
_PLACES: Mapping[str, Callable[[Contest, Sheet], _Each]] = {
    "{phase}.": _phases,
    "{phase}/": _past,
    "{subset}": _parts,
    "{release}": _releases,
}
