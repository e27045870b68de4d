"""Following every link of a site as it lies on a disk or comes out of ``render``."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

_ADDRESSES = ("href", "src", "xlink:href")
STATE = re.compile(r"(sort|q|team|flag|one|cols|runs)=")


class _Reader(HTMLParser):
    """The links and the ids of a page, or of a file of XML."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _ADDRESSES and value:
                self.links.append(value)
            elif name == "id" and value:
                self.ids.add(value)


@cache
def _told(body: bytes) -> tuple[tuple[str, ...], frozenset[str]]:
    reader = _Reader()
    reader.feed(body.decode())
    reader.close()
    return tuple(reader.links), frozenset(reader.ids)


def _kind(path: str) -> str:
    return path.rpartition(".")[2]


def links(site: Mapping[str, bytes]) -> Iterator[tuple[str, str, str, str]]:
    """Yield where a link stands, the link, its file within the site and its fragment."""
    for path, body in site.items():
        if _kind(path) not in ("html", "svg", "xml"):
            continue
        for link in _told(body)[0]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            folder = posixpath.dirname(path)
            to = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
            yield path, link, to if parts.path else path, unquote(parts.fragment)


def broken(site: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """The links that lead nowhere: to no file of the site, to no id in it, to no run."""
    found = []
    for path, link, to, fragment in links(site):
        if to not in site:
            found.append((path, link))
        elif fragment.startswith("runs="):
            runs = fragment.partition("&")[0].removeprefix("runs=").split(",")
            home = posixpath.dirname(to)
            found += [(path, link) for run in runs if f"{home}/compare/{run}.js" not in site]
        elif fragment and not STATE.match(fragment):
            ids = _told(site[to])[1] if _kind(to) in ("html", "svg") else frozenset()
            found += [] if fragment in ids else [(path, link)]
    return found
