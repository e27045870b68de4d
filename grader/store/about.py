"""What a team says of a run, and the column that holds it."""

import json
from urllib.parse import urlsplit

from grader.errors import Mistake
from grader.model import About
from grader.store.golds import json_text
from grader.store.names import checked, storable

_TEXT, _LINE = 10_000, 2000  # characters of a run's description, of a link or resource
_SOURCES = 50  # links, or resources, of a run
_NO_LINK = set(" <>\"'\\^`{|}")  # they have no place in an address


def about_text(about: About) -> str | None:
    """The column that holds what a team says of a run.

    raises  Mistake, if it is too much, or a link leads to no page of the web
    """
    if about == About():
        return None
    if max(len(about.links), len(about.resources)) > _SOURCES:
        raise Mistake(f"a run has at most {_SOURCES} links and {_SOURCES} resources")
    text = storable("the description", about.text, _TEXT)
    links = [_link(link) for link in about.links]
    return json_text([text, links, [checked("resource", r, _LINE) for r in about.resources]])


def _link(typed: str) -> str:
    """A link to a page of the web: whoever sees it on the site may follow it."""
    link = checked("link", typed, _LINE)
    try:
        parts = urlsplit(link)
        web = parts.scheme in ("http", "https") and parts.hostname and not set(link) & _NO_LINK
    except ValueError:  # a host in brackets that is none
        web = False
    if not web:
        raise Mistake(f"{link[:80]!r} is no link: one begins with http:// or https:// and a host")
    return link


def read_about(text: str | None) -> About:
    """What a team said of a run, from the column that holds it."""
    if not text:
        return About()
    said, links, resources = json.loads(text)
    return About(said, tuple(links), tuple(resources))
