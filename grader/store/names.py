"""Names that people type: what they may be, when two are the same, and slugs minted from them."""

import re
import unicodedata
from collections.abc import Collection
from difflib import get_close_matches

from sqlalchemy import Connection

from grader.errors import Mistake
from grader.store.faults import address
from grader.tasks import DEVICES

# Control, surrogate, line and paragraph separator: they break lines, terminals or encodings.
_BARRED = {"Cc", "Cs", "Zl", "Zp"}
# They turn the reading direction of what stands after them, on the board too.
_TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# For whom pages may be: no team is called, or addressed, as one of them.
AUDIENCES = ("public", "participants", "organisers")
_SLUG = 60  # letters: with a number and .html far below what a file system takes


def _harmful(letter: str) -> bool:
    return unicodedata.category(letter) in _BARRED or letter in _TURNING


def checked(what: str, typed: str, most: int) -> str:
    """A typed name without the spaces around it; Mistake unless 1 to ``most`` plain characters."""
    name = typed.strip()
    shown = ascii(name[:40]) + ("…" if len(name) > 40 else "")
    if len(name) > most:
        raise Mistake(f"the {what} has {len(name)} characters, and {most} are allowed: {shown}")
    if bad := next((letter for letter in name if _harmful(letter)), None):
        raise Mistake(
            f"the {what} holds the control character U+{ord(bad):04X}, "
            f"and only plain characters are allowed: {shown}"
        )
    if not folded(name):
        raise Mistake(f"the {what} is empty, and it needs 1 to {most} characters")
    return name


def team_name(what: str, typed: str, most: int) -> str:
    """A typed name that a team may have; Mistake also for a word that means others."""
    name = checked(what, typed, most)
    if folded(name) in AUDIENCES:
        raise Mistake(f"no team may be called {name!r}: to publish, it says for whom pages are")
    return name


def storable(what: str, text: str, most: int) -> str:
    """The text as it is; Mistake if a database could not hold it or is not to."""
    if len(text) > most:
        raise Mistake(f"{what} has {len(text)} characters, and {most} are allowed: {text[:40]!a}…")
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Mistake(f"{what} holds a NUL or half a character: {text[:40]!a}")
    return text


def folded(name: str) -> str:
    """What two names must differ in: not in case, width, spaces or marks nobody sees.

    >>> folded("  Team   Ａ ") == folded("team a")
    True
    """
    wide = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(
        c for c in unicodedata.normalize("NFKC", wide) if unicodedata.category(c) != "Cf"
    )
    return " ".join(seen.split())


def plain(name: str) -> str:
    """What of a name an address can have; empty if nothing.

    >>> plain("Ünïon — Team 1"), plain("東京")
    ('union-team-1', '')
    """
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters)[:_SLUG].strip("-")


def minted(name: str, taken: Collection[str]) -> str:
    """A slug for an address, unlike those taken, and a file's name everywhere.

    >>> minted("Ünïon — Team 1", ()), minted("東京", ()), minted("!!!", {"team", "team-2"})
    ('union-team-1', 'team', 'team-3')
    >>> minted("CON", ()), minted("com1", {"com1-2"})
    ('con-2', 'com1-3')
    """
    slug = plain(name) or "team"
    k, found = 1, slug
    while found in taken or found in DEVICES:
        k += 1
        found = f"{slug}-{k}"
    return found


def harmless(filename: str) -> str:
    r"""The last part of a path as text that is safe to show and to save under; the end is kept.

    >>> harmless("../../etc/a.csv"), harmless("C:\\runs\\b.tsv\r\nX: 1"), harmless("..")
    ('a.csv', 'b.tsvX: 1', 'run')
    """
    part = re.split(r"[/\\]", filename)[-1]
    name = "".join(letter for letter in part if not _harmful(letter)).strip()[-200:]
    return name if name.strip(". ") else "run"


def unknown(db: Connection, what: str, asked: str, known: Collection[str], mend: str) -> Mistake:
    """There is no such thing in this database; the nearest that there is, and what lists them."""
    near = get_close_matches(asked, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    where = address(db.engine.url)
    return Mistake(f"there is no {what} {asked!r}{hint}", f"the database is {where}", mend=mend)
