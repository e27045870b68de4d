"""Ids and names, and which one was perhaps meant by one that is not known."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from grader.model import Raw


def identity(raw: Raw, columns: Sequence[str]) -> str:
    r"""A record's id: its column, trimmed; several are joined by ``/`` (inside a part: ``\/``).

    >>> identity(Raw(1, {"exam": "sat", "no": " 7 "}), ("exam", "no"))
    'sat/7'
    """
    return joined([str(raw.fields[c]).strip() for c in columns])


def joined(parts: Sequence[str]) -> str:
    """An id of its parts; one part is the id as it is."""
    if len(parts) == 1:
        return parts[0]
    return "/".join(p.replace("\\", "\\\\").replace("/", "\\/") for p in parts)


def loose(name: str) -> str:
    """What two spellings of an id share: small letters, no zeros that pad, no ``.0``, no spaces.

    >>> loose("2024/01"), loose("007"), loose("1.0"), loose("Doc-1 "), loose("0")
    ('2024/1', '7', '1', 'doc_1', '0')
    """
    text = name.casefold().replace("-", "_").replace(" ", "")
    whole = re.sub(r"(?<![0-9.])([0-9]+)\.0+(?![0-9.])", r"\1", text)
    return re.sub(r"(?<![0-9.])0+(?=[0-9])", "", whole)


def spellings(ids: Iterable[str]) -> dict[str, str]:
    """The ids by their loose spelling; of those that share one, the first by name."""
    found: dict[str, str] = {}
    for name in ids:
        spelt = loose(name)
        found[spelt] = min(name, found.get(spelt, name))
    return found


def did_you_mean(name: str, known: dict[str, str]) -> str:
    """The hint for an id that is none, from the ``spellings`` of those that are."""
    near = known.get(loose(name))
    return f"; did you mean {near!r}?" if near else ""


def column_hint(wanted: str, names: Sequence[str]) -> str:
    """Which of a file's other columns was perhaps meant by the one that is not there.

    By its letters in either case; as a word of a longer name, wherever it stands; or as a
    shortened one.

    >>> column_hint("id", ["ID", "answer"]), column_hint("id", ["question_id", "answer"])
    ("; did you mean 'ID'?", "; did you mean 'question_id'?")
    >>> column_hint("confidence", ["conf"]), column_hint("id", ["answer"])
    ("; did you mean 'conf'?", '')
    """
    plain = {name: name.strip().casefold() for name in reversed(names)}
    mine = wanted.casefold()
    near = [n for n, p in plain.items() if p == mine][-1:]
    if not near and (close := get_close_matches(mine, plain.values(), 1, 0.7)):
        near = [n for n, p in plain.items() if p == close[0]][-1:]
    near = near or [n for n, p in plain.items() if mine in re.split(r"[\W_]+", p)][-1:]
    near = near or [n for n, p in plain.items() if len(p) > 2 and mine.startswith(p)][-1:]
    return f"; did you mean {near[0][:40]!r}?" if near else ""


def no_header(wanted: Sequence[str], names: Sequence[str], line: int) -> str:
    """What is said of a file that has none of the wanted columns; ``line``: its first record's.

    A record on line 1 is an object of JSON, which has no header.
    """
    has = ", ".join(repr(n[:40]) for n in names[:5]) + (", …" if len(names) > 5 else "")
    some = ", ".join(repr(w[:40]) for w in wanted[:5]) + (", …" if len(wanted) > 5 else "")
    if line == 1:
        return f"no line has any of the keys {some}; there is {has}"
    return f"the first line does not look like a header: it has {has}; wanted are {some}"


def natural(name: str) -> tuple[str | tuple[int, str], ...]:
    """What to sort names by, so that numbers in them count as such.

    >>> sorted(["q10", "q9", "p", "q09"], key=natural)
    ['p', 'q09', 'q9', 'q10']
    """
    parts = re.split("([0-9]+)", name)
    numbers = (part.lstrip("0") for part in parts[1::2])
    keyed: list[str | tuple[int, str]] = [*parts]
    keyed[1::2] = [(len(number), number) for number in numbers]
    return (*keyed, (-1, name))


def split(name: str) -> list[str]:
    r"""The parts of an id that ``joined`` joined.

    >>> split(joined(["a/b", "c\\", "d"]))
    ['a/b', 'c\\', 'd']
    """
    parts = [""]
    for escaped, letter in re.findall(r"(\\?)(.)", name, re.DOTALL):
        if letter == "/" and not escaped:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def controls(text: str) -> bool:
    r"""Whether a text that stands on one line holds what breaks lines or terminals.

    >>> controls("a\nb"), controls("共有　タスク")
    (True, False)
    """
    return any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text)
