"""The pattern that the names of runs' files may have to follow."""

import re
from collections.abc import Iterable

from grader.model import Team

_PART = re.compile(r"\[([^\[\]]*)\]|(\*)|([^\[\]*]+)")
_RANGE = re.compile(r"(0|[1-9][0-9]{0,3})-(0|[1-9][0-9]{0,3})")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}$")


def names(team: Team) -> tuple[str, ...]:
    """What a file's name may call a team."""
    return tuple(dict.fromkeys((team.name, *team.aliases, team.slug)))


def malformed(pattern: str) -> str:
    """What is wrong with a pattern; empty if nothing is.

    >>> malformed("[Team]-AC-[1-4]"), malformed("[4-1]")
    ('', "'[4-1]' is neither [Team] nor a range such as [1-4]")
    """
    if not pattern.isprintable() or not pattern.strip() or set(pattern) & set("/\\"):
        return "is blank, or holds a slash or a control character"
    if len(pattern) > 100:
        return f"has {len(pattern)} characters, more than 100"
    at = 0
    while part := _PART.match(pattern, at):
        at = part.end()
        inside = part[1]
        if inside is not None and inside != "Team" and not _numbers(inside):
            return f"{part[0]!r} is neither [Team] nor a range such as [1-4]"
    if at < len(pattern):
        return f"has a bracket without its other: {pattern[at:]!r}"
    many = pattern.count("*") > 2 or pattern.count("[Team]") > 1
    return "has more than two *, or [Team] more than once" if many else ""


def _numbers(inside: str) -> range:
    found = _RANGE.fullmatch(inside)
    return range(int(found[1]), int(found[2]) + 1) if found else range(0)


def fits(pattern: str, filename: str, teams: Iterable[str] = ()) -> str:
    """Why a file's name, without folders and extensions, is not a pattern's; empty if it is.

    teams  the names that ``[Team]`` may stand for, in any case; without any, it may be any text

    >>> fits("[Team]-AC-[1-4]", "THUIR-AC-2.txt.gz", ["THUIR"])
    ''
    >>> fits("[Team]-AC-[1-4]", "THUIR-AC-5.txt", ["THUIR"])
    "'THUIR-AC-5.txt' does not follow [Team]-AC-[1-4]: a right name is 'THUIR-AC-1'"
    """
    known, filename = tuple(teams), filename.rpartition("/")[2]
    parts = list(_PART.finditer(pattern))
    whole = re.compile("".join(_said(part, known) for part in parts), re.DOTALL)
    once = _ENDING.sub("", filename)
    if any(map(whole.fullmatch, (filename, once, _ENDING.sub("", once)))):
        return ""
    right = example(pattern, known)
    return f"{filename[:80]!r} does not follow {pattern}: a right name is {right!r}"


def example(pattern: str, teams: Iterable[str] = ()) -> str:
    """A name that follows a pattern, without an extension.

    >>> example("[Team]-AC-[1-4]")
    'TEAM-AC-1'
    """
    known = tuple(teams)
    return "".join(_example(part, known) for part in _PART.finditer(pattern))


def _said(part: re.Match[str], teams: tuple[str, ...]) -> str:
    """A part of a pattern as a regular expression."""
    if part[3] is not None:
        return re.escape(part[3])
    if part[2]:
        return ".*"
    if part[1] == "Team":
        return f"(?i:{'|'.join(map(re.escape, teams)) or '.+'})"  # as teams differ: not in case
    return f"(?:{'|'.join(map(str, _numbers(part[1])))})"


def _example(part: re.Match[str], teams: tuple[str, ...]) -> str:
    if part[3] is not None:
        return part[3]
    if part[2]:
        return "x"
    return (teams or ("TEAM",))[0] if part[1] == "Team" else str(_numbers(part[1])[0])
