"""Cells that a spreadsheet would run as formulas, made harmless and read back."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_QUOTED = (*FORMULA, "'")


def neutral(text: str) -> str:
    """The text, with a mark in front if a spreadsheet would run it; it is not read back.

    >>> neutral("=1+1"), neutral("'tis")
    ("'=1+1", "'tis")
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def guarded(text: str) -> str:
    """The text with a ``'`` in front if it begins like a formula, or with a ``'``.

    >>> guarded("=1+1"), guarded("'tis"), guarded("plain")
    ("'=1+1", "''tis", 'plain')
    """
    return f"'{text}" if text.startswith(_QUOTED) else text


def unguarded(text: str) -> str:
    """What was guarded, exactly; any other text as it is.

    >>> unguarded("'=1+1"), unguarded("''tis"), unguarded("'90s"), unguarded("=1")
    ('=1+1', "'tis", "'90s", '=1')
    """
    return text[1:] if text.startswith("'") and text[1:].startswith(_QUOTED) else text
