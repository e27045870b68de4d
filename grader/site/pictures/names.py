"""Names that people typed, within a picture: no longer than their place."""

import unicodedata

_OPEN, _CLOSE = "\u2068", "\u2069"  # first strong isolate, pop directional isolate


def width(name: str) -> int:
    """About how many narrow letters a name is wide.

    >>> width("ants"), width("東京"), width("e\u0301")
    (4, 4, 1)
    """
    return len(name) if name.isascii() else sum(map(_width, name))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def clipped(name: str, most: int) -> str:
    """The name, or as much of it as is ``most`` narrow letters wide, and an ellipsis.

    >>> clipped("ants", 4), clipped("antelopes", 4), clipped("東京都", 5)
    ('ants', 'ant…', '東京…')
    """
    if width(name) <= most:
        return name
    room, kept = most - 1, []
    for letter in name:
        room -= _width(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept).rstrip() + "…"


def both(team: str, name: str, most: int) -> str:
    """A run by its team and name, no wider than ``most``: what one leaves, the other has.

    >>> both("ants", "antelopes", 16), both("antelopes", "anteaters", 16)
    ('ants · antelopes', 'antel… · anteat…')
    """
    half, room = (most - 3) // 2, most - 3
    first = clipped(team, max(half, room - width(name)))
    return f"{first} · {clipped(name, room - width(first))}"


def isolated(name: str) -> str:
    """The name within a sentence, whichever way it is written."""
    return f"{_OPEN}{name.replace(_CLOSE, '')}{_CLOSE}"
