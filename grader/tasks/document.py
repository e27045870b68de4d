"""The text of a task.toml as a document, or what keeps it from being one."""

import tomllib
from datetime import date, time
from typing import Any

from grader.errors import Mistake

DEEPEST = 8  # levels of nesting; no key needs more than four
WHEN = "a date or time"


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


def document(text: str) -> dict[str, Any]:
    """What a TOML text says, in types that JSON has.

    A date or time becomes ``[[WHEN, its text]]``, which no key may be.

    raises  Mistake
    """
    try:
        found: dict[str, Any] = _plain(tomllib.loads(text.removeprefix("\ufeff")), 0)
    except tomllib.TOMLDecodeError as e:
        raise Mistake(f"task.toml is not valid TOML: {e}") from e
    except RecursionError as e:
        raise Mistake("task.toml is nested too deeply") from e
    except ValueError as e:
        raise Mistake("task.toml holds a number of too many digits") from e
    return found


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
