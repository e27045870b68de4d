"""One LaTeX macro for each number of a table, under a name that TeX can read."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from grader.export.latex import cell
from grader.export.sheet import Table, Told
from grader.table import printable

_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_UNSAID = ("all", "value", "count", "tau")  # what a name without them says as well


def words(text: str) -> str:
    """A text in letters alone: each word begins with a capital, each digit is a word.

    >>> words("ants-12"), words("ece@10"), words("kind=Größe"), words("東京")
    ('AntsOneTwo', 'EceOneZero', 'KindGroe', 'X')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    found = re.findall(r"[0-9]|[A-Za-z]+", plain)
    said = (_DIGITS[int(w)] if w.isdigit() else w[0].upper() + w[1:] for w in found)
    return "".join(said) or "X"


class Names:
    """Macros that were given away: no two of an export are the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def mint(self, parts: Sequence[str]) -> str:
        """A name made of these parts, with letters behind it if another number has it already."""
        stem = "".join(words(part) for part in parts if part and part not in _UNSAID)
        name, k = stem, 0
        while name in self._taken:
            k += 1
            name = stem + "X" * k
        self._taken.add(name)
        return name


def macros(
    names: Names, prefix: Sequence[str], tables: Sequence[Table], *, rest: bool = False
) -> Iterator[str]:
    """Yield a line for each number that there is: the macro, and what it is in a comment.

    Undefined numbers have none, so that LaTeX stops where a paper asks for one.

    prefix  what all names begin with: the task, and its phase
    rest    of the rows that LaTeX tables do not show, in place of those that they do
    """
    for table in tables:
        keys = [i for i, column in enumerate(table.columns) if column.role == "key"]
        numbers = [(i, c.name) for i, c in enumerate(table.columns) if c.role == "number"]
        most = len(table.rows) if table.most is None else table.most
        for row in table.rows[most:] if rest else table.rows[:most]:
            said = [str(row[i]) for i in keys]
            for i, what in numbers:
                found = row[i]
                if found is None or (isinstance(found, Told) and found.text == "–"):
                    continue
                name = names.mint((*prefix, *said, what))
                told = printable(", ".join((table.name, *filter(None, said), what)))
                yield rf"\newcommand{{\{name}}}{{{cell(found)}}} % {told}"
