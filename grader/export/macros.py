"""One LaTeX macro for each number of a table, under a name that TeX can read."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from grader.table import printable
from grader.tabular.latex import cell
from grader.tabular.sheet import Table, Told

_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_UNSAID = ("all", "value", "count", "tau")  # what a name without them says as well


@dataclass(frozen=True, slots=True)
class Macro:
    """A number as LaTeX prints it, what its name is made of, and its table and place in words."""

    parts: tuple[str, ...]
    printed: str
    about: str


@cache
def words(text: str) -> str:
    """A text in letters alone: each word begins with a capital, each digit is a word.

    Of a text of which letters are lost, or all, a digest of it in letters follows.

    >>> words("ants-12"), words("ece@10"), words("José"), words("kind=Größe"), words("東京")
    ('AntsOneTwo', 'EceOneZero', 'Jose', 'KindGroeogdckogo', 'Xbdaabglc')
    """
    apart = unicodedata.normalize("NFKD", text)
    plain = apart.encode("ascii", "ignore").decode()
    found = re.findall(r"[0-9]|[A-Za-z]+", plain)
    said = "".join(_DIGITS[int(w)] if w.isdigit() else w[0].upper() + w[1:] for w in found)
    lost = any(c.isalnum() and not c.isascii() for c in apart)
    return said if said and not lost else (said or "X") + _digest(text)


def _digest(text: str) -> str:
    """Eight letters from a to p."""
    found = sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return "".join(chr(ord("a") + int(c, 16)) for c in found)


def macros(prefix: Sequence[str], tables: Sequence[Table], *, rest: bool = False) -> list[Macro]:
    """A macro for each number that there is.

    Undefined numbers have none, so that LaTeX stops where a paper asks for one.

    prefix  what all names begin with: the task, and its phase
    rest    of the rows that LaTeX tables do not show, in place of those that they do
    """
    return [one for table in tables for one in _macros(prefix, table, rest=rest)]


def _macros(prefix: Sequence[str], table: Table, *, rest: bool) -> Iterator[Macro]:
    keys = [i for i, column in enumerate(table.columns) if column.role == "key"]
    numbers = [(i, c.name) for i, c in enumerate(table.columns) if c.role == "number"]
    most = len(table.rows) if table.most is None else table.most
    for row in table.rows[most:] if rest else table.rows[:most]:
        said = [str(row[i]) for i in keys]
        for i, what in numbers:
            found = row[i]
            if found is None or (isinstance(found, Told) and found.text == "–"):
                continue
            about = printable(", ".join((table.name, *filter(None, said), what)))
            yield Macro((*prefix, *said, what), cell(found), about)


def lines(groups: Sequence[Iterable[Macro]]) -> list[list[str]]:
    """A line for each macro of each group: the definition, and what it is in a comment.

    A name says what it is of, whatever else there is: where two would share one, a digest of all
    that each is made of stands behind both. So none comes to mean another number.
    """
    made = [[(_stem(one), one) for one in group] for group in groups]
    shared = Counter(stem for group in made for stem, _ in group)
    return [[_line(one, stem, alone=shared[stem] == 1) for stem, one in group] for group in made]


def _stem(one: Macro) -> str:
    return "".join(words(part) for part in one.parts if part and part not in _UNSAID)


def _line(one: Macro, stem: str, *, alone: bool) -> str:
    name = stem + ("" if alone else _digest("\0".join((*one.parts, one.about))))
    return rf"\newcommand{{\{name}}}{{{one.printed}}} % {one.about}"
