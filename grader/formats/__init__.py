"""File formats: bytes in, records with line numbers out. One file a format, found by folder.

A format is recognised by its content, never by the file's name.
"""

import importlib
import pkgutil
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grader.model import Problem, Raw

LIMIT = 64 * 2**20  # bytes of one file: above three million rows, below what a laptop holds

_LOOKS_LIKE = {
    b"PK\x03\x04": "a zip archive or a spreadsheet (.xlsx): export it as CSV",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"%PDF": "a PDF document: send the table itself as CSV",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet (.xls): export it as CSV",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"\x89PNG": "a picture",
}


STACKED = 30  # combining marks on one letter, as in Unicode's stream-safe text format
_MARKS = re.compile(f"m{{{STACKED + 1}}}")


def _kind(letter: str) -> str:
    return "m" if unicodedata.combining(letter) else " "


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write records. ``claims`` sees the start of the text; the lowest rank asks first.

    ``about`` is the sentence that the rules page prints.
    """

    name: str
    rank: int
    claims: Callable[[str], bool]
    read: Callable[[str], Iterator[Raw | Problem]]
    about: str


def read(payload: bytes) -> Iterator[Raw | Problem]:
    """Yield the records of a file, or the problems that stop them from being read."""
    text = _text(payload)
    if isinstance(text, Problem):
        yield text
        return
    start = text[:4096]
    chosen = next(f for f in FORMATS if f.claims(start))
    yield from chosen.read(text)


def _text(payload: bytes) -> str | Problem:
    if len(payload) > LIMIT:
        size = f"{len(payload) / 2**20:.1f} MiB; the limit is {LIMIT // 2**20} MiB"
        return Problem("too-large", size, stops=True)
    for magic, what in _LOOKS_LIKE.items():
        if payload.startswith(magic):
            return Problem("not-text", f"the file looks like {what}", stops=True)
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        if b"\0" in payload[:1024]:
            return Problem("not-text", "the file holds binary data, not text", stops=True)
        read = e.object[: e.start]  # the payload without its byte order mark
        line = len(read.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
        said = f"byte 0x{e.object[e.start]:02X} is not UTF-8: save the file as UTF-8"
        return Problem("not-utf8", said, line, stops=True)


def unfit(text: str) -> str:
    r"""What makes a text unfit to be stored: a NUL or half a character; empty if nothing does.

    >>> unfit("a\0b"), unfit("ok")
    ('a NUL character', '')
    """
    if "\0" in text:
        return "a NUL character"
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        return "half a character (a lone surrogate)"
    # Text for people has a few marks on a letter; comparing thousands takes quadratic time.
    if not text.isascii() and _MARKS.search("".join(map(_kind, text))):
        return f"more than {STACKED} combining marks in a row"
    return ""


def _found() -> Iterator[Format]:
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        yield from (x for x in vars(module).values() if isinstance(x, Format))


FORMATS = tuple(sorted(_found(), key=lambda f: f.rank))
