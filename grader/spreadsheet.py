"""Cells that a spreadsheet would run as formulas, made harmless and read back."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_QUOTED = (*FORMULA, "'")


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
