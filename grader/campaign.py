"""campaign.toml in, a Campaign out; every mistake is said at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from grader.errors import Mistake
from grader.model import Campaign, Member
from grader.plural import counted
from grader.tasks import is_address
from grader.tasks.document import document
from grader.tasks.names import controls

# What each key may be, and its default; the README's table is made of these.
KEYS = {
    "slug": "the campaign's address: 1 to 60 characters of a-z, 0-9 and inner hyphens; needed",
    "title": "a text of 1 to 200 characters; needed",
    "description": "a text in Markdown; default none",
    "task": "tables [[task]] in the order in which they are shown; needed",
    "task.slug": "a task's address; it need not be registered yet; needed",
    "task.track": "a text of at most 100 characters without , and ; as files of teams may name "
    "it; default none",
    "task.language": "a text of at most 100 characters; default none",
    "task.subtask": "a text of at most 100 characters; default none",
    "task.dry_run": "true or false (default): a dry run stays out of the counts and results",
}
_LENGTHS = {"title": 200, "description": 100_000}
_SHORT = 100
_NAME = "campaign.toml"
SEPARATORS = ",;"  # between the tracks that a team entered


def parse(text: str) -> Campaign:
    """The campaign that a campaign.toml declares.

    raises  Mistake, one line for each wrong key, with what the key may be
    """
    given = document(text, _NAME)
    problems = list(_problems(given))
    if problems:
        said = [f"  {key}: {what}{_may(key)}" for key, what in dict.fromkeys(problems)]
        raise Mistake(f"{_NAME}: {counted(len(said), 'mistake')}", *said)
    return Campaign(
        given["slug"],
        given["title"],
        given.get("description", ""),
        tuple(Member(**member) for member in given["task"]),
    )


def _may(key: str) -> str:
    return f"; it may be {KEYS[key]}" if key in KEYS else ""


def _problems(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each key that cannot be so, and what is wrong with it."""
    yield from _keys(given, "")
    members = given.get("task")
    if not isinstance(members, list) or not members:
        yield "task", "is missing" if members is None else "is no table [[task]]"
        return
    for member in members:
        if isinstance(member, Mapping):
            yield from _keys(member, "task.")
        else:
            yield "task", f"holds {member!r}, which is no table"
    slugs = [member.get("slug") for member in members if isinstance(member, Mapping)]
    for slug, n in Counter(s for s in slugs if isinstance(s, str)).items():
        if n > 1:
            yield "task.slug", f"{slug!r} stands {n} times"


def _keys(given: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the keys of a table, and with the texts they hold."""
    known = [k for k in KEYS if k.startswith(prefix) and "." not in k.removeprefix(prefix)]
    for key in (k for k in given if f"{prefix}{k}" not in known):
        near = get_close_matches(f"{prefix}{key}", known, 1)
        yield f"{prefix}{key}", "is no key" + (f": did you mean {near[0]!r}?" if near else "")
    for path in known:
        key = path.removeprefix(prefix)
        if path in ("slug", "title", "task.slug") and key not in given:
            yield path, "is missing"
        elif key in given and path != "task" and (why := _wrong(path, given[key])):
            yield path, why


def _wrong(path: str, value: object) -> str:
    """Why a value cannot be a key's; empty if it can."""
    if path == "task.dry_run":
        return "" if isinstance(value, bool) else f"is {value!r}"
    if not isinstance(value, str):
        return f"is {str(value)[:60]!r}, which is no text"
    if path.endswith("slug"):
        return "" if is_address(value) else f"is {value[:60]!r}"
    return _unfit(path, value)


def _unfit(path: str, value: str) -> str:
    """Why a text cannot be a key's; empty if it can."""
    if len(value) > _LENGTHS.get(path, _SHORT):
        return f"has {len(value)} characters"
    if path == "title" and not value.strip():
        return "is blank"
    if path == "task.track" and set(value) & set(SEPARATORS):
        return f"is {value!r}: a comma or semicolon ends the name of a track"
    broken = path != "description" and controls(value)
    return "holds a control character or a line break" if broken else ""
