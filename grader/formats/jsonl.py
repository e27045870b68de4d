"""One JSON object a line."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from grader.formats import Format, unfit
from grader.model import NotText, Problem, Raw

# Only these end a line: U+2028, U+2029 and U+0085 may stand inside a JSON string.
_LINE_END = re.compile(r"\r\n|\r|\n")
_ONE_A_LINE = "write one object a line"


class _Number(str):
    """A number as it was spelled: text, so that 1.0 stays 1.0."""

    __slots__ = ()


class _Pairs(list[tuple[str, Any]]):
    """An object with its keys as written, also those written twice."""


def _refuse(constant: str) -> Any:  # noqa: ANN401, json's own shape
    raise ValueError(f"{constant} is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_float=_Number, parse_int=_Number, parse_constant=_refuse
)


def _read(text: str) -> Iterator[Raw | Problem]:
    if text.lstrip().startswith("["):
        said = f"the file is one JSON array; {_ONE_A_LINE}, without the brackets"
        yield Problem("bad-json", said, 1, stops=True)
        return
    begun = False
    for line, source in enumerate(_LINE_END.split(text), 1):
        if not source.strip():
            continue
        found = _record(source, line)
        if not begun and _goes_on(found, source, text):
            said = f"an object goes on over several lines; {_ONE_A_LINE}"
            yield Problem("bad-json", said, line, stops=True)
            return
        begun = True
        yield found


def _goes_on(found: Raw | Problem, source: str, text: str) -> bool:
    """Is the first line the start of an object that ends on a later one?"""
    if isinstance(found, Raw) or not source.lstrip().startswith("{"):
        return False
    try:
        _, end = _DECODER.raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return end > len(source.lstrip())


def _record(source: str, line: int) -> Raw | Problem:
    try:
        pairs = _DECODER.decode(source)
    except (ValueError, RecursionError) as e:
        return Problem("bad-json", _why(e), line)
    if not isinstance(pairs, _Pairs):
        return Problem("bad-json", f"not an object; {_ONE_A_LINE}", line)
    fields = {key.strip(): _field(value) for key, value in pairs}
    if len(fields) < len(pairs):
        twice, _ = Counter(key.strip() for key, _ in pairs).most_common(1)[0]
        said = f"the key {twice[:40]!r} is given twice"
        return _stored(fields, line) or Problem("duplicate-key", said, line, twice)
    return _stored(fields, line) or Raw(line, fields)


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _stored(fields: Mapping[str, str | NotText], line: int) -> Problem | None:
    """What keeps a record from being stored as text, if anything does."""
    for key, value in fields.items():
        texts = (value,) if isinstance(value, str) else value.items
        if why := next(filter(None, map(unfit, (key, *texts))), ""):
            shown = key.encode(errors="replace").decode()
            return Problem("bad-character", f"the field holds {why}", line, shown)
    return None


def _field(value: object) -> str | NotText:
    """A text as it is, a number as spelled, a boolean as ``true``; the rest is no text."""
    if (text := _text(value)) is not None:
        return text
    if value is None:
        return NotText("null")
    if isinstance(value, _Pairs):
        return NotText("object")
    # Only the list's own texts are kept: a recursion would end where the decoder's did not.
    items = [_text(item) for item in value] if isinstance(value, list) else []
    texts = tuple(item for item in items if item is not None)
    return NotText("list" if len(texts) == len(items) else "mixed list", texts)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else None


JSONL = Format(
    name="JSONL",
    rank=1,
    claims=lambda start: start.lstrip()[:1] in ("{", "["),
    read=_read,
    about="One JSON object a line. Numbers and true/false are read as they are spelled; null is "
    "no answer.",
)
