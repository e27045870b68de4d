"""A task as the text of a task.toml: the reverse of ``parse``."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime

from grader.model import GoldColumns, Phase, RunColumns, Task

_NEVER = datetime.min.replace(tzinfo=UTC)
_TABLES = ("gold", "run", "interval", "judging", "resampling", "ranking")


def written(task: Task) -> str:
    """What ``parse`` reads as the same task; keys that have their default are left out."""
    plain = Task(task.slug, "")
    lines = list(_pairs(task, plain))
    for name in _TABLES:
        given, default = getattr(task, name), getattr(plain, name)
        if name == "run" and isinstance(default, RunColumns):
            default = RunColumns(id=task.gold.id)
        if pairs := list(_pairs(given, default)):
            lines += ["", f"[{name}]", *pairs]
    for phase in task.phases:
        lines += ["", "[[phase]]", *_pairs(phase, Phase("", _NEVER, _NEVER))]
    return "".join(f"{line}\n" for line in lines)


def _pairs(given: object, default: object) -> Iterator[str]:
    """Yield a line for each key that does not have its default."""
    for field in fields(given) if is_dataclass(given) else ():
        value = getattr(given, field.name)
        if field.name in (*_TABLES, "slug", "phases") and isinstance(given, Task):
            continue
        if value is None or value == getattr(default, field.name):
            continue
        if isinstance(given, GoldColumns) and field.name == "subsets":
            value = [{"name": d.name, "values": d.values} for d in value]
        yield f"{field.name} = {_said(value)}"


def _said(value: object) -> str:
    """A value as TOML has it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case datetime():
            return _text(value.isoformat())
        case Mapping():
            pairs = (f"{_text(str(k))} = {_said(v)}" for k, v in value.items())
            return f"{{{', '.join(pairs)}}}"
        case tuple() | list():
            return f"[{', '.join(map(_said, value))}]"
        case _:
            return _text(str(value))


def _text(text: str) -> str:
    """A basic string: JSON's is one, but for the control character DEL."""
    return re.sub("\x7f", r"\\u007F", json.dumps(text, ensure_ascii=False))
