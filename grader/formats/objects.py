"""JSON with the line on which each part of it begins."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any

from grader.formats import stored
from grader.model import NotText, Problem, Raw, Task

LINE_END = re.compile(r"\r\n|\r|\n")  # U+2028, U+2029 and U+0085 may stand inside a JSON string
_SPACE = re.compile(r"[ \t\r\n]*")


class _Number(str):
    """A number as it was spelled: text, so that 1.0 stays 1.0."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """An object with its keys as written, also those written twice."""


def _refuse(constant: str) -> Any:  # noqa: ANN401, json's own shape
    raise ValueError(f"{constant} is not a JSON number")


DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_float=_Number, parse_int=_Number, parse_constant=_refuse
)


class Broken(ValueError):  # noqa: N818, the file is
    """No JSON from here on."""

    def __init__(self, said: str, line: int) -> None:
        super().__init__(said)
        self.problem = Problem("bad-json", said, line, stops=True)


class Cursor:
    """A place in a JSON text, and its line. What is no JSON raises Broken."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1

    def _go(self, to: int) -> None:
        ends = (self.text.count(end, self.at, to) for end in ("\n", "\r"))
        self.line += sum(ends) - self.text.count("\r\n", self.at, to)
        self.at = to

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        found = _SPACE.match(self.text, self.at)
        self._go(found.end() if found else self.at)
        return self.text[self.at : self.at + 1]

    def take(self, what: str) -> bool:
        """Go over this character if it is the next."""
        if self.peek() != what:
            return False
        self.at += 1
        return True

    def expect(self, what: str) -> None:
        if not self.take(what):
            raise Broken(f"{what!r} is missing before {self._next()}", self.line)

    def end(self) -> None:
        if self.peek():
            raise Broken(f"after the end stands {self._next()}", self.line)

    def _next(self) -> str:
        return repr(self.text[self.at : self.at + 10]) if self.at < len(self.text) else "the end"

    def value(self) -> Any:  # noqa: ANN401, whatever was written
        """The value that begins here."""
        self.peek()
        try:
            found, to = DECODER.raw_decode(self.text, self.at)
        except JSONDecodeError as e:
            self._go(max(self.at, e.pos))
            raise Broken(e.msg.removesuffix(" at"), self.line) from e
        except (ValueError, RecursionError) as e:
            raise Broken(why(e), self.line) from e
        self._go(to)
        return found

    def items(self) -> Iterator[int]:
        """Yield the line of each item of the array that begins here; who asks reads the value."""
        self.expect("[")
        if self.take("]"):
            return
        while True:
            self.peek()
            yield self.line
            if self.take("]"):
                return
            self.expect(",")

    def members(self) -> Iterator[tuple[int, str]]:
        """Yield the line and key of each member of an object; who asks reads the value."""
        self.expect("{")
        if self.take("}"):
            return
        while True:
            if self.peek() != '"':
                raise Broken(f"a key in double quotes is missing before {self._next()}", self.line)
            line, key = self.line, self.value()
            self.expect(":")
            yield line, str(key)
            if self.take("}"):
                return
            self.expect(",")


def why(error: Exception) -> str:
    if isinstance(error, JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def record(pairs: Pairs, line: int, task: Task | None = None) -> Raw | Problem:
    """A record of an object. In a run, an object ``p`` holds the probability of each class."""
    if task is not None:
        pairs = Pairs(pair for key, value in pairs for pair in _spread(key, value, task))
    fields = {key.strip(): field(value) for key, value in pairs}
    if len(fields) < len(pairs):
        twice, _ = Counter(key.strip() for key, _ in pairs).most_common(1)[0]
        said = f"the key {twice[:40]!r} is given twice"
        return stored(fields, line) or Problem("duplicate-key", said, line, twice)
    return stored(fields, line) or Raw(line, fields)


def _spread(key: str, value: object, task: Task) -> Pairs:
    if key.strip() != "p" or not isinstance(value, Pairs):
        return Pairs([(key, value)])
    return Pairs((task.run.classes.get(label, f"p:{label}"), p) for label, p in value)


def field(value: object) -> str | NotText:
    """A text as it is, a number as spelled, a boolean as ``true``; the rest is no text."""
    if (text := _text(value)) is not None:
        return text
    if value is None:
        return NotText("null")
    if isinstance(value, Pairs):
        return NotText("object")
    # Only the list's own texts are kept: a recursion would end where the decoder's did not.
    items = [_text(item) for item in value] if isinstance(value, list) else []
    texts = tuple(item for item in items if item is not None)
    return NotText("list" if len(texts) == len(items) else "mixed list", texts)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else None
