"""Reading the made-up site as its readers' browsers do."""

from functools import cache
from xml.etree.ElementTree import Element

import html5lib
from sites import snapshot

from grader.board import visible
from grader.site import render

BOARD = "exams/index.html"


def files(of=None):
    """The files of a site for the public; those of the made-up one are made once."""
    return dict(render(visible(of, "public")) if of else _made_up())


@cache
def _made_up():
    return tuple(render(visible(snapshot(), "public")))


def parse(body: bytes) -> Element:
    """The page as a tree; any error of HTML raises."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(body.decode())


def text(node: Element) -> str:
    return "".join(node.itertext()).strip()


def having(tree: Element, name: str, word: str) -> list[Element]:
    """The elements of a name that are of a class."""
    return [e for e in tree.findall(f".//{{*}}{name}") if word in e.get("class", "").split()]


def elements(tree: Element):
    return (e for e in tree.iter() if isinstance(e.tag, str))


def rows(tree: Element, body: int = 0) -> list[Element]:
    table = having(tree, "table", "sortable")[0]
    found = table.findall("tbody")[body].findall("tr")
    return [row for row in found if row.find("td[@data-key]") is not None]


def cells(row: Element) -> list[Element]:
    return [c for c in row.findall("td") if "num" in c.get("class") and c is not row[-1]]
