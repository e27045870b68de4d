"""task.toml and gold files in, Task and Gold out; every mistake is said at once."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from grader.errors import Mistake
from grader.formats import LIMIT
from grader.measures import find
from grader.model import Gold, Task
from grader.plural import counted
from grader.tasks import phases
from grader.tasks.document import WHEN, decoded, document
from grader.tasks.gold import read_gold
from grader.tasks.keys import KEYS, SUBSET_KEYS, checks

__all__ = [
    "DEVICES",
    "KEYS",
    "config",
    "contents",
    "declared",
    "is_address",
    "load",
    "parse",
    "read_gold",
    "slug_of",
]

# Windows opens no file of such a name, whatever stands after its first dot.
DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
# Addresses of the site itself.
RESERVED = {"campaign", "static", "measures", "rules", "index", "subset", "team"}
MEASURED = ("primary", "measures")  # keys whose values are measures' keys
_TASK = TypeAdapter(Task)


def load(folder: Path) -> tuple[Task, str, Gold]:
    """Read a task's folder: the task, the text of its task.toml, and its gold.

    raises  Mistake, with every problem of the file that is read first
    """
    text = config(folder)
    task = parse(text, slug_of(folder))
    gold = folder / task.gold.file
    return task, text, read_gold(task, contents(gold), str(gold))


def config(folder: Path) -> str:
    """The text of a folder's task.toml; raises Mistake if it cannot be read or is not UTF-8."""
    file = folder / "task.toml"
    return decoded(contents(file), str(file))


def contents(file: Path) -> bytes:
    """The bytes of a file that an operator named; raises Mistake if it cannot be read."""
    try:
        with file.open("rb") as source:
            return source.read(LIMIT + 1)  # one more tells that it is too large
    except OSError as e:
        raise Mistake(f"{file} cannot be read: {e.strerror}") from e


def slug_of(folder: Path) -> str:
    """The address of a task: its folder's name, if it can stand in a URL; else Mistake."""
    slug = Path(os.path.abspath(folder)).name  # noqa: PTH100, resolve() fails in a loop of links
    if not is_address(slug):
        raise Mistake(
            f"the folder's name {slug!r} becomes the task's address: 1 to 60 characters of a-z, "
            f"0-9 and inner hyphens, and none of {', '.join(sorted(RESERVED))}",
            mend=f"for example {_address(slug)!r}",
        )
    return slug


def is_address(slug: str) -> bool:
    """Whether a text can stand in a URL as a task's address."""
    plain = re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?", slug)
    return bool(plain) and slug not in RESERVED | DEVICES


def _address(name: str) -> str:
    """The nearest name that can be an address."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60].strip("-")
    return plain if plain and plain not in RESERVED | DEVICES else "my-task"


def parse(text: str, slug: str) -> Task:
    """The task a task.toml declares.

    raises  Mistake, one line for each wrong key, with what the key may be
    """
    return declared(document(text), slug, f"task.toml of {slug!r}")


def declared(given: dict[str, Any], slug: str, where: str) -> Task:
    """The task that a document in the shape of task.toml declares; raises Mistake likewise.

    Its measures' keys are spelled as their scores spell them.
    """
    problems = list(_unknown(given))
    given, unread = _phased(given)
    problems += unread
    task = _typed(_arranged(given, slug), problems)
    mistyped = {key for key, _ in problems}
    found = [(key, what) for key, what in checks(task) if key not in mistyped]
    said = [_said(key, what) for key, what in dict.fromkeys(problems)]
    said += [f"  {key}: {what}" for key, what in _measures(found)]
    said += [_said(key, what) for key, what in dict.fromkeys(found) if key not in MEASURED]
    if said:
        raise Mistake(f"{where}: {counted(len(said), 'mistake')}", *said)
    measures = tuple(find(key).key for key in task.measures)
    return replace(task, primary=find(task.primary).key, measures=measures)


def _said(key: str, what: str) -> str:
    may = KEYS.get(key.split(" (", maxsplit=1)[0], "")
    return f"  {key}: {what}" + (f"; it may be {may}" if may else "")


def _measures(found: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with measures, which says itself what they may be: each once."""
    places: dict[str, list[str]] = {}
    for key, what in found:
        if key in MEASURED:
            places.setdefault(what, []).append(key)
    for what, keys in places.items():
        yield ("measures (and primary)" if len({*keys}) > 1 else keys[0]), what


def _unknown(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every key that is not one of KEYS, with the one that was perhaps meant."""
    for key, value in given.items():
        if "." in key:  # one key in quotes, not the key of a table
            yield f'"{key}"', f"is no key{_meant(key)}"
            continue
        tables = value if isinstance(value, list) and key == "phase" else [value]
        inner = {k for t in tables if isinstance(t, dict) and key in KEYS for k in t}
        for path in (key, *(f"{key}.{k}" for k in sorted(inner))):
            if path not in KEYS:
                yield path, f"is no key{_meant(path)}"
    subsets = given.get("gold", {})
    subsets = subsets.get("subsets", ()) if isinstance(subsets, dict) else ()
    for subset in subsets if isinstance(subsets, list) else ():
        for key in subset if isinstance(subset, dict) else ():
            if key not in SUBSET_KEYS:
                yield "gold.subsets", f"{key!r} is no key of a subset"


def _meant(path: str) -> str:
    last = path.rpartition(".")[2]
    if same := [k for k in KEYS if k.rpartition(".")[2] == last]:
        return f": did you mean {same[0]!r}?"
    near = get_close_matches(path, KEYS, 1)
    return f": did you mean {near[0]!r}?" if near else ""


def _arranged(given: dict[str, Any], slug: str) -> dict[str, Any]:
    """The document in the shape of Task: short forms written out, unknown keys left out."""
    known: dict[str, Any] = {
        "phases" if k == "phase" else k: v for k, v in given.items() if k in KEYS and "." not in k
    }
    for table in ("gold", "run", "interval", "judging", "resampling", "ranking"):
        if isinstance(known.get(table), dict):
            known[table] = {k: v for k, v in known[table].items() if f"{table}.{k}" in KEYS}
    gold, run = known.setdefault("gold", {}), known.setdefault("run", {})
    if isinstance(gold, dict) and isinstance(run, dict):
        for columns in (gold, run):
            if isinstance(columns.get("id"), str):
                columns["id"] = [columns["id"]]
        if _texts(gold.get("id")):
            run.setdefault("id", gold["id"])
        if isinstance(gold.get("subsets"), list):
            gold["subsets"] = [_dimension(d) for d in gold["subsets"]]
    if known.get("kind") == "interval":
        known = {"primary": "iscore", "measures": ["covgap"], **known}
    if type(known.get("tolerance")) in (int, float):
        known["tolerance"] = str(known["tolerance"])
    return {**known, "slug": slug}


def _phased(given: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The document with its phases' instants read, and what is wrong with those."""
    if "phase" not in given:
        return given, []
    found, problems = phases.arranged(given["phase"])
    return {**given, "phase": found}, problems


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _dimension(given: object) -> object:
    if isinstance(given, dict):
        return {k: v for k, v in given.items() if k in SUBSET_KEYS}
    return {"name": given}


def _typed(given: dict[str, Any], problems: list[tuple[str, str]]) -> Task:
    """The Task; a problem is added for every key of the wrong type, and its default stands."""
    try:
        return _TASK.validate_json(json.dumps(given), strict=True)
    except ValidationError as e:
        for error in e.errors(include_url=False):
            key = ".".join(str(part) for part in error["loc"] if isinstance(part, str))
            key = re.sub("^phases", "phase", key)
            while key not in KEYS and "." in key:
                key = key.rpartition(".")[0]
            missing = error["type"] == "missing"
            problems.append((key, "is missing" if missing else f"is {_shown(error['input'])}"))
            _drop(given, key)
        return _TASK.validate_python({"title": "untitled", **given})


def _shown(value: object) -> str:
    """A value as it was written, shortened."""
    match value:
        case [[str(when), str(text)]] | [str(when), str(text)] if when == WHEN:
            return f"{WHEN}, {text}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _drop(given: dict[str, Any], key: str) -> None:
    table, _, inner = key.partition(".")
    if table == "phase":
        given.pop("phases", None)
    elif inner:
        given[table].pop(inner, None)
    else:
        given.pop(table, None)
