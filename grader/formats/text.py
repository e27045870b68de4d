"""The text of a file's bytes, and what no text may hold."""

import re
import unicodedata

from grader.model import Problem

_LOOKS_LIKE = {
    b"PK\x05\x06": "an empty zip archive",
    b"%PDF": "a PDF document: send the table itself as CSV",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet (.xls): export it as CSV",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"\x89PNG": "a picture",
}
STACKED = 30  # combining marks on one letter, as in Unicode's stream-safe text format
_MARKS = re.compile(f"m{{{STACKED + 1}}}")


def decoded(payload: bytes) -> str | Problem:
    """The text, without a byte order mark; else the line of the first byte that is none."""
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


def _kind(letter: str) -> str:
    return "m" if unicodedata.combining(letter) else " "


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
