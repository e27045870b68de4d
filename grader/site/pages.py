"""Templates and a snapshot in, pages out. Pure: no clock, nothing written.

A page is a file under templates/pages/. Its path is its address: ``{task}``, ``{run}`` and
``{subset}`` in a name make one page for each. To add a page, add a template.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader import rulebook
from grader.board import FEW, rule, shown
from grader.data import folder
from grader.formats import FORMATS
from grader.model import Entry, Snapshot
from grader.scoring import signature
from grader.site import analyses, charts, curves, sheets, tables, text, versus
from grader.site.sheets import Sheet

_PAGES, _STATIC = "pages/", "static/"
IN_VIEW = 6  # measures of a board that are in view before it is unfolded


def render(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the site: its path and its bytes.

    snapshot  what its readers may see: it has gone through ``board.visible``

    The same snapshot gives the same bytes.
    """
    templates = folder("templates")
    env = environment(templates)
    made = tuple(sheets.sheet(results) for results in snapshot.tasks)
    for name in env.list_templates(filter_func=lambda n: n.startswith(_PAGES)):
        template = env.get_template(name)
        for address, scope in _scopes(name.removeprefix(_PAGES), made):
            root = "../" * address.count("/")
            page = template.render(snapshot=snapshot, sheets=made, root=root, **scope)
            yield address, text.printable(page).encode()
    for file in sorted((templates / _STATIC).iterdir()):
        yield f"{_STATIC}{file.name}", file.read_bytes()


def _scopes(name: str, made: Sequence[Sheet]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each address that a template's name stands for, and what its page is about."""
    if "{task}" not in name:
        yield name, {}
        return
    for on in made:
        of_task = name.replace("{task}", on.slug)
        if "{run}" in name:
            for entry in on.results.entries:
                yield of_task.replace("{run}", entry.slug), {"sheet": on, "entry": entry}
        elif "{subset}" in name:
            for part in on.parts:
                if part.n:
                    yield of_task.replace("{subset}", part.slug), {"sheet": on, "part": part}
        else:
            yield of_task, {"sheet": on}


def _signatures(on: Sheet, entry: Entry) -> str:
    """A line for each score of the whole task, as a paper may quote it."""
    scores = (s for s in on.scores[entry.slug].values() if s.subset == "all")
    return "\n".join(signature(s, entry.settings) for s in scores)


_FILTERS = {
    "utc": text.utc,
    "instant": text.instant,
    "count": text.count,
    "argument": text.argument,
    "markdown": text.markdown,
    "inline": text.inline,
    "family": sheets.family,
}
_GLOBALS: Mapping[str, object] = {
    "board": tables.board,
    "matrix": tables.matrix,
    "profile": tables.profile,
    "reliability": charts.reliability,
    "reference_rows": analyses.reference_rows,
    "front": analyses.front,
    "analyses": analyses,
    "curves": curves,
    "place": sheets.place,
    "sharing": sheets.sharing,
    "dropped": sheets.dropped,
    "measures": sheets.measures,
    "families": sheets.families,
    "latest": sheets.latest,
    "part_n": sheets.part_n,
    "users": sheets.users,
    "shown_grading": sheets.shown_grading,
    "signatures": _signatures,
    "rule": rule,
    "formats": FORMATS,
    "rulebook": rulebook,
    "shown": shown,
    "in_view": IN_VIEW,
    "against": versus.versus,
    "few": FEW,
}


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
    return env
