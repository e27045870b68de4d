"""What templates may call, and how they are found."""

import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from grader import rulebook, verdicts
from grader.board import FEW, lead, rule, shown, unrankable
from grader.formats import FORMATS
from grader.model import Entry
from grader.report import terms
from grader.signature import signature
from grader.site import (
    analyses,
    boards,
    cases,
    comparing,
    exports,
    families,
    formulas,
    frozen,
    history,
    judging,
    leading,
    nav,
    news,
    participate,
    released,
    sheets,
    tables,
    text,
    versions,
)
from grader.site.lone import makers
from grader.site.patterns import each, once
from grader.site.pictures import missing, of_kinds
from grader.site.pictures.style import alone
from grader.site.rows import ROOM, rows
from grader.site.sheets import Sheet
from grader.site.versus import may_rank

STATIC = "static/"
EMBEDDED = 10  # runs of a board that stands in another page
IN_VIEW = 6  # measures of a board that are in view before it is unfolded


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
    "family": families.family,
    "floored": families.floored,
    "of_kinds": of_kinds,
    "shown": shown,  # a call of a filter costs a third of that of a function
    "px": lambda place: f"{place:.1f}",
    "math": formulas.math,
    "csv": lambda data: Markup(data.csv),  # noqa: S704, a file that is no HTML
}
_GLOBALS: Mapping[str, object] = {
    "mark": "",
    "newer": "",
    "board": boards.board,
    "each": each,
    "once": once,
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
    "leading": leading,
    "participate": participate,
    "past": versions,
    "may_rank": may_rank,
    "measures": sheets.measures,
    "families": families.families,
    "part_n": sheets.part_n,
    "users": families.users,
    "shown_grading": sheets.shown_grading,
    "signatures": _signatures,
    "released": released,
    "rule": rule,
    "formats": FORMATS,
    "rulebook": rulebook,
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


@cache
def environment(templates: Path) -> Environment:
    """The templates with all they may call; everything that they print is escaped."""
    env = _Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_compiled(templates),
    )
    env.filters |= _FILTERS
    env.globals |= _GLOBALS
    env.globals["style_alone"] = _style(templates / STATIC)
    env.globals["tables"] = rows(env.get_template(ROOM).module)
    return env


class _Environment(Environment):
    """No template has globals of its own, so all have the same: a plain mapping is read fast."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What each template may call."""
        return self.globals if d is None else super().make_globals(d)


class _Compiled(FileSystemBytecodeCache):
    """Templates as they were compiled before; where none can be kept, they are each time."""

    def get_source_checksum(self, source: str) -> str:
        """Of the program too: what its filters make of constants is compiled into templates."""
        return super().get_source_checksum(makers() + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError, EOFError, UnpicklingError):  # the last two: its end is missing
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled(templates: Path) -> _Compiled | None:
    """What is kept beside the templates, as Python keeps modules: compiling takes a second."""
    if sys.dont_write_bytecode:
        return None
    place = templates / "__pycache__"
    with suppress(OSError):
        place.mkdir(exist_ok=True)
    return _Compiled(str(place), "%s.cache")
