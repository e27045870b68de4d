"""Templates and a snapshot in, pages out. Pure: no clock, nothing written.

A page is a file under templates/pages/. Its path is its address: ``{task}``, ``{run}``,
``{subset}``, ``{phase}``, ``{release}``, ``{picture}``, ``{campaign}`` and ``{team}`` in a name
make one page for each. To add a page, add a template.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import starmap
from pathlib import Path

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
    exports,
    formulas,
    frozen,
    history,
    judging,
    nav,
    news,
    participate,
    released,
    sheets,
    tables,
    text,
    versions,
)
from grader.site.campaigns import places, programmes
from grader.site.crew import Work, shared_out
from grader.site.lone import Lone, lone
from grader.site.pictures import Picture, missing
from grader.site.pictures.style import alone
from grader.site.rows import ROOM, rows
from grader.site.scopes import Scope, of_run, scopes
from grader.site.sheets import Contest, Sheet
from grader.site.staging import Page

_PAGES, _STATIC = "pages/", "static/"
EMBEDDED = 10  # runs of a board that stands in another page
IN_VIEW = 6  # measures of a board that are in view before it is unfolded


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
    site = _Site(env, made, _shared(snapshot, made, mark), names)
    before: dict[str, list[Page]] = defaultdict(list)
    for path, key in known.items():
        before[key.partition(".")[0]].append(Page(path, None, key))
    runs = [one for contest in made for one in lone(contest, mark)]
    works: list[Work] = [partial(site.page, *page) for page in site.scopes()]
    works += [partial(site.of_run, one, before.get(one.key, ())) for one in runs]
    for pages in shared_out(works):
        yield from pages
    for contest in made:
        yield from starmap(Page, released.files(contest))
        yield from starmap(Page, comparing.files(contest))
        yield from starmap(Page, exports.files(contest))
    for file in sorted((folder("templates") / _STATIC).iterdir()):
        yield Page(f"{_STATIC}{file.name}", file.read_bytes())


def _shared(snapshot: Snapshot, made: Sequence[Contest], mark: str) -> Scope:
    """What every page may see, but for those of runs."""
    campaigns = programmes(snapshot.campaigns, made)
    return {
        "mark": mark,
        "campaigns": campaigns,
        "places": places(campaigns),
        "dry_runs": {slug for programme in campaigns for slug in programme.campaign.dry_runs},
        "sheets": [contest.now for contest in made],
        "last": sheets.latest([on for contest in made for on in contest.sheets]),
    }


@dataclass(frozen=True, slots=True)
class _Site:
    """The templates, the names of those of pages, and what all of them are made of."""

    env: Environment
    made: Sequence[Contest]
    shared: Scope
    names: Sequence[str]

    def scopes(self) -> Iterator[tuple[str, str, Scope]]:
        return scopes(self.names, self.made, self.shared["campaigns"], partial(_drawn, self.env))

    def page(self, name: str, address: str, scope: Scope) -> Sequence[Page]:
        return (Page(address, self._content(name, address, {**self.shared, **scope})),)

    def of_run(self, one: Lone, before: Sequence[Page]) -> Sequence[Page]:
        """All files of a run, or that they stay: if none is gone."""
        if before and before[0].key == f"{one.key}.{len(before)}":
            return before
        found: list[tuple[str, bytes]] = [
            (address, self._content(name, address, {"mark": self.shared["mark"], **scope}))
            for name, address, scope in of_run(self.names, one, partial(_drawn, self.env))
        ]
        found += comparing.of_run(one.contest, one.on, one.entry)
        return [Page(path, content, f"{one.key}.{len(found)}") for path, content in found]

    def _content(self, name: str, address: str, scope: Scope) -> bytes:
        template = self.env.get_template(f"{_PAGES}{name}")
        return text.printable(template.render(**scope, root="../" * address.count("/"))).encode()


def _drawn(env: Environment, picture: Picture) -> Picture:
    """The picture with what its macro prints, for its page and its file."""
    room = env.get_template(f"macros/pictures/{picture.kind}.html").module
    return replace(picture, body=room.draw(picture))  # type: ignore[attr-defined]


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
    "px": lambda place: f"{place:.1f}",
    "math": formulas.math,
    "csv": lambda data: Markup(data.csv),  # noqa: S704, a file that is no HTML
}
_GLOBALS: Mapping[str, object] = {
    "mark": "",
    "board": boards.board,
    "matrix": tables.matrix,
    "profile": tables.profile,
    "missing_pictures": missing,
    "reference_rows": analyses.reference_rows,
    "analyses": analyses,
    "cases": cases,
    "comparing": comparing,
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
    "embedded": EMBEDDED,
    "exports": exports,
    "news": news,
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
    env.globals["long"] = rows(env.get_template(ROOM).module)
    return env
