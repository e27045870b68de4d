"""Templates and a snapshot in, pages out. Pure: no clock, nothing written.

A page is a file under templates/pages/. Its path is its address: ``{task}``, ``{run}``,
``{subset}``, ``{phase}``, ``{release}``, ``{picture}``, ``{campaign}`` and ``{team}`` in a name
make one page for each. To add a page, add a template.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader import rulebook, verdicts
from grader.board import FEW, lead, rule, shown, unrankable
from grader.data import folder
from grader.formats import FORMATS
from grader.model import Entry, Snapshot
from grader.report import terms
from grader.signature import signature
from grader.site import (
    analyses,
    boards,
    cases,
    comparing,
    curves,
    frozen,
    history,
    judging,
    nav,
    participate,
    pictures,
    released,
    sheets,
    tables,
    teams,
    text,
    versions,
)
from grader.site.campaigns import Programme, places, programmes
from grader.site.pictures.style import alone
from grader.site.sheets import Contest, Sheet

_PAGES, _STATIC = "pages/", "static/"
_TASK = "{task}/"
IN_VIEW = 6  # measures of a board that are in view before it is unfolded


def render(snapshot: Snapshot, mark: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield every file of the site: its path and its bytes.

    snapshot  what its readers may see: it has gone through ``board.visible``
    mark      what stands on top of every page

    The same snapshot gives the same bytes.
    """
    templates = folder("templates")
    env = environment(templates)
    made = sheets.contests(snapshot)
    campaigns = programmes(snapshot.campaigns, made)
    shared: Mapping[str, object] = {
        "mark": mark,
        "campaigns": campaigns,
        "places": places(campaigns),
        "dry_runs": {slug for programme in campaigns for slug in programme.campaign.dry_runs},
        "sheets": [contest.now for contest in made],
        "last": sheets.latest([on for contest in made for on in contest.sheets]),
    }
    for name in env.list_templates(filter_func=lambda n: n.startswith(_PAGES)):
        template = env.get_template(name)
        for address, scope in _scopes(name.removeprefix(_PAGES), made, campaigns):
            root = "../" * address.count("/")
            page = template.render(**{**shared, **scope}, root=root)
            yield address, text.printable(page).encode()
    for contest in made:
        yield from released.files(contest)
        yield from comparing.files(contest)
    for file in sorted((templates / _STATIC).iterdir()):
        yield f"{_STATIC}{file.name}", file.read_bytes()


def _scopes(
    name: str, made: Sequence[Contest], campaigns: Sequence[Programme]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each address that a template's name stands for, and what its page is about."""
    if "{campaign}" in name:
        for programme in campaigns:
            yield name.replace("{campaign}", programme.slug), {"programme": programme}
        return
    if "{team}" in name:
        for side in teams.sides(made):
            yield name.replace("{team}", side.slug), {"side": side}
        return
    if "{task}" not in name:
        yield name, {}
        return
    for contest in made:
        if not nav.has(contest, name.removeprefix(_TASK)):
            continue
        of_task = name.replace("{task}", contest.slug)
        for key, slug, scope in _each(name, contest):
            yield of_task.replace(key, slug), {"contest": contest, **scope}


def _each(name: str, contest: Contest) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield what stands for a place in a name, and what that page is about."""
    key = next((key for key in _PLACES if key in name), None)
    if key is None:
        yield "", "", {"sheet": contest.now}
        return
    for slug, scope in _PLACES[key](contest):
        yield key, slug, {"sheet": contest.now, **scope}


_Each = Iterator[tuple[str, Mapping[str, Any]]]


def _runs(contest: Contest) -> _Each:
    for on in contest.sheets:
        for entry in on.taking_part:
            last = sheets.latest_of(on, entry)
            yield entry.slug, {"sheet": on, "entry": entry, "last": last}


def _parts(contest: Contest) -> _Each:
    yield from ((part.slug, {"part": part}) for part in contest.now.shown_parts)


def _phases(contest: Contest) -> _Each:
    yield from ((on.address, {"sheet": on}) for on in contest.sheets if on.address)


def _releases(contest: Contest) -> _Each:
    yield from ((one.address, {"official": one}) for one in frozen.official(contest))


def _pictures(contest: Contest) -> _Each:
    yield from ((made.name, {"picture": made}) for made in pictures.of_board(contest.now))


def _pictures_of_runs(contest: Contest) -> _Each:
    for on in contest.sheets:
        for entry in on.taking_part:
            for made in pictures.of_run(on, entry):
                yield f"{entry.slug}/{made.name}", {"picture": made}


_PLACES: Mapping[str, Callable[[Contest], _Each]] = {
    "{run}/{picture}": _pictures_of_runs,
    "{picture}": _pictures,
    "{run}": _runs,
    "{subset}": _parts,
    "{phase}": _phases,
    "{release}": _releases,
}


def _signatures(on: Sheet, entry: Entry) -> str:
    """A line for each score of the whole task, as a paper may quote it."""
    scores = (s for s in on.scores[entry.slug].values() if s.subset == "all")
    return "\n".join(signature(s, entry.settings) for s in scores)


_FILTERS = {
    "utc": text.utc,
    "aoe": text.aoe,
    "day": text.day,
    "instant": text.instant,
    "count": text.count,
    "argument": text.argument,
    "markdown": text.markdown,
    "inline": text.inline,
    "opening": text.opening,
    "family": sheets.family,
    "csv": lambda data: Markup(data.csv),  # noqa: S704, a file that is no HTML
}
_GLOBALS: Mapping[str, object] = {
    "mark": "",
    "board": boards.board,
    "matrix": tables.matrix,
    "profile": tables.profile,
    "pictures": pictures,
    "reference_rows": analyses.reference_rows,
    "analyses": analyses,
    "cases": cases,
    "comparing": comparing,
    "curves": curves,
    "frozen": frozen,
    "hearing": judging,
    "history": history,
    "verdicts": verdicts,
    "lead": lead,
    "participate": participate,
    "past": versions,
    "dropped": sheets.dropped,
    "measures": sheets.measures,
    "families": sheets.families,
    "part_n": sheets.part_n,
    "users": sheets.users,
    "shown_grading": sheets.shown_grading,
    "signatures": _signatures,
    "released": released,
    "rule": rule,
    "formats": FORMATS,
    "rulebook": rulebook,
    "shown": shown,
    "in_view": IN_VIEW,
    "few": FEW,
    "has_page": sheets.has_page,
    "terms": terms,
    "ways": nav.ways,
    "unrankable": unrankable,
    "web": text.web,
}


def _style(static: Path) -> Markup:
    """The style of a picture that stands alone; the site's own text, so it is trusted."""
    site, own = ((static / name).read_text("utf-8") for name in ("site.css", "pictures.css"))
    return Markup(f"<style>{alone(site, own)}</style>\n")  # noqa: S704


@cache  # compiling them takes longer than most sites do
def environment(templates: Path) -> Environment:
    """The templates with all they may call; everything that they print is escaped."""
    env = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= _FILTERS
    env.globals |= _GLOBALS
    env.globals["style_alone"] = _style(templates / _STATIC)
    return env
