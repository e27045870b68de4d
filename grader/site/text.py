"""How words, counts and times stand on a page."""

import re
import shlex
from datetime import UTC, datetime

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup

from grader.instants import AOE

_WEB = re.compile(r"https?://[^\s]+\Z", re.IGNORECASE)
_LINK = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]|[\ufffe\uffff]"
)

_PLAIN = b"\t\n\r" + bytes(range(0x20, 0x7F))  # most of a page: looking at the rest is enough


def utc(moment: datetime) -> str:
    """An instant to the second, its zone beside it.

    >>> utc(datetime.fromisoformat("2026-03-01T01:30:05+02:00"))
    '2026-02-28 23:30:05 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def day(moment: datetime) -> str:
    """The day of an instant in UTC.

    >>> day(datetime.fromisoformat("2026-03-01T01:30:05+02:00"))
    '2026-02-28'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d}"


def aoe(moment: datetime) -> str:
    """The same instant "anywhere on Earth", where a day ends last.

    >>> aoe(datetime.fromisoformat("2027-03-02T12:00:00+00:00"))
    '2027-03-02 00:00:00 AoE'
    """
    return f"{moment.astimezone(AOE):%Y-%m-%d %H:%M:%S} AoE"


def web(url: str) -> bool:
    """Whether an address that somebody typed may be a link on a page."""
    return _WEB.match(url) is not None


def instant(moment: datetime) -> str:
    """The same instant for the ``datetime`` attribute."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def count(number: int, noun: str = "") -> str:
    """A count with its noun, if one is given, in the right number.

    >>> count(5500), count(1, "run"), count(2, "run"), count(0, "team")
    ('5,500', '1 run', '2 runs', '0 teams')
    """
    plural = "" if number == 1 or not noun else "s"
    return f"{number:,} {noun}{plural}".rstrip()


def argument(filename: str) -> str:
    """A file's name as one word of a shell command that no command takes for an option.

    >>> print(argument("-run 1.csv"))
    './-run 1.csv'
    """
    return shlex.quote(f"./{filename}" if filename.startswith("-") else filename)


def printable(page: str) -> bytes:
    r"""The bytes of a page without characters that HTML forbids; each becomes U+FFFD.

    >>> printable("a\x1bb\ud800c\u3000") == "a\ufffdb\ufffdc\u3000".encode()
    True
    """
    body = page.encode("utf-8", "surrogatepass")
    rare = body.translate(None, _PLAIN).decode("utf-8", "surrogatepass")
    return _UNPRINTABLE.sub("\ufffd", page).encode() if _UNPRINTABLE.search(rare) else body


def markdown(source: str) -> Markup:
    """Markdown as HTML that loads nothing and runs nothing.

    HTML in the source is text, an image is its description, and a link leads to http, https
    or mail, or is no link. Headings stand one level below the page's own.

    >>> print(markdown("[a](javascript:b) <b> ![c](https://d.example/e.png)").strip())
    <p>[a](javascript:b) &lt;b&gt; [image: c]</p>
    """
    return Markup(_markdown().render(source))  # noqa: S704, HTML is off and links are checked


def opening(source: str) -> tuple[Markup, Markup]:
    r"""The same, in two: what its first paragraph says, if it begins with one, and the rest.

    >>> print(*opening("Which *digit*?\n\n## More"))
    Which <em>digit</em>? <h3>More</h3>
    <BLANKLINE>
    >>> print(*opening("# More"))
     <h2>More</h2>
    <BLANKLINE>
    """
    reader = _markdown()
    tokens = reader.parse(source)
    many = 3 if tokens and tokens[0].type == "paragraph_open" else 0
    parts = tokens[1 : many - 1] if many else [], tokens[many:]
    first, rest = (reader.renderer.render(part, reader.options, {}) for part in parts)
    return Markup(first), Markup(rest)  # noqa: S704, as above


def inline(source: str) -> Markup:
    """The same of a text within a line.

    >>> print(inline("`<b>` *c*"))
    <code>&lt;b&gt;</code> <em>c</em>
    """
    return Markup(_markdown().renderInline(source))  # noqa: S704, as above


def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    reader.validateLink = _allowed  # type: ignore[method-assign]
    reader.core.ruler.push("tame", _tame)
    return reader


def _allowed(url: str) -> bool:
    return _LINK.match(url) is not None


def _tame(state: StateCore) -> None:
    """Lower the headings, put words for images and classes for styles."""
    for token in state.tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
        if style := token.attrs.pop("style", None):
            token.attrSet("class", str(style).rpartition(":")[2])
        for child in token.children or ():
            if child.type == "image":
                child.type, child.content = "text", f"[image: {child.content}]"
