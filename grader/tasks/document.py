"""The text of a task.toml as a document, or what keeps it from being one."""

import re
import tomllib
from collections.abc import Iterator
from datetime import date, time
from typing import Any

from grader.errors import Mistake

DEEPEST = 8  # levels of nesting; no key needs more than four
WHEN = "a date or time"
SHOWN = 100  # characters of a line that is shown
# What stands where TOML cannot be read, and how it is written. The first that fits is said.
_QUOTES = 'a text needs straight double quotes: "like this"'
_HINTS = (
    (r"", r"[“”„‟‘’‚«»]", _QUOTES),
    (r".*[“”„‟‘’‚«»]\s*$", r"\s*$", _QUOTES),
    (r'[^"]*("[^"]*"[^"]*)*"[^"]*$', r"\s*$", "a quote is closed on its line"),
    (r".*\d$", r",\d", "write a point in a decimal, not a comma: 0.5"),
    (r"", r"[+-]?\.\d", "a number needs a digit before the point: 0.5"),
    (r".*\d$", r"\.", "a number needs a digit after the point: 1.0"),
    (r"", r"(True|TRUE|False|FALSE)\b", "true and false are written in small letters"),
    (r"[^=]*$", r"\s*:", "write = between a key and its value"),
    (r".*=", r"[^\W\d]", _QUOTES),
)


def decoded(payload: bytes, name: str) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    raises  Mistake, with the line of the first byte that is not UTF-8
    """
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = payload.count(b"\n", 0, e.start) + 1
        said = f"{name}:{line}: byte 0x{payload[e.start]:02X} is not UTF-8: save the file as UTF-8"
        raise Mistake(said) from e


def document(text: str, name: str = "task.toml") -> dict[str, Any]:
    """What a TOML text says, in types that JSON has; ``name`` is its file's, for messages.

    A date or time becomes ``[[WHEN, its text]]``, which no key may be.

    raises  Mistake
    """
    try:
        found: dict[str, Any] = _plain(tomllib.loads(text.removeprefix("\ufeff")), 0)
    except tomllib.TOMLDecodeError as e:
        raise Mistake(f"{name} is not valid TOML: {e}", *_beside(text, str(e))) from e
    except RecursionError as e:
        raise Mistake(f"{name} is nested too deeply") from e
    except ValueError as e:
        raise Mistake(f"{name} holds a number of too many digits") from e
    return found


def _beside(text: str, said: str) -> Iterator[str]:
    """Yield the line that a syntax error names, and how what stands there is written."""
    place = re.search(r"\(at line (\d+), column (\d+)\)", said)
    if place is None:
        return
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    line, column = lines[int(place[1]) - 1], int(place[2]) - 1
    shown = "".join(c if c.isprintable() else " " for c in line.strip())
    if shown:
        yield f"  {place[1]}: {shown[:SHOWN]}{'…' if len(shown) > SHOWN else ''}"
    for before, after, hint in _HINTS:
        if re.match(before, line[:column]) and re.match(after, line[column:]):
            yield f"  {hint}"
            return


def _plain(value: Any, depth: int) -> Any:  # noqa: ANN401, it is whatever was written
    if depth > DEEPEST:
        raise RecursionError
    match value:
        case dict():
            return {key: _plain(inner, depth + 1) for key, inner in value.items()}
        case list():
            return [_plain(inner, depth + 1) for inner in value]
        case date() | time():
            return [[WHEN, str(value)]]
        case int():
            str(value)  # one written in hexadecimal has not been measured yet
    return value
