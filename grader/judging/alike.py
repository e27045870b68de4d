"""Answers to one question that may be the same: proposed, for a person to confirm."""

import re
from collections.abc import Mapping, Sequence

from grader.judge import normalise
from grader.model import Unit

NEAR = 90  # least share of equal letters, in percent, of two texts that are nearly the same
_WORDLESS = re.compile(r"[^\w\s]+")
_NUMBERS = re.compile(r"\d+")


def alike(units: Sequence[Unit], texts: Mapping[Unit, str]) -> dict[Unit, Unit]:
    """For each unit an earlier one of the same instance that it may equal, if there is one.

    The first that is equal but for case, width, spaces, punctuation and articles; else the one
    nearest by the share of letters in common (indel similarity), from NEAR on. Texts that hold
    other numbers are never alike.

    texts  what is compared: the answer, and what supports it
    """
    found: dict[Unit, Unit] = {}
    seen: dict[tuple[str, tuple[str, ...]], dict[str, Unit]] = {}
    for unit in units:
        plain = bare(texts[unit])
        earlier = seen.setdefault((unit.id, tuple(_NUMBERS.findall(plain))), {})
        if (near := _nearest(plain, earlier)) is not None:
            found[unit] = earlier[near]
        earlier.setdefault(plain, unit)
    return found


def bare(text: str) -> str:
    """A text without what answers differ in by accident, as SQuAD compares answers.

    >>> bare("The  Nile."), bare("nile"), bare("A"), bare("C++")
    ('nile', 'nile', 'a', 'c')

    Rajpurkar et al., SQuAD: 100,000+ Questions for Machine Comprehension of Text, EMNLP 2016.
    """
    words = _WORDLESS.sub(" ", normalise(text)).split()
    return " ".join([w for w in words if w not in ("a", "an", "the")] or words)


def _nearest(plain: str, earlier: Mapping[str, Unit]) -> str | None:
    if plain in earlier or not earlier:
        return plain if plain in earlier else None
    from rapidfuzz import fuzz, process  # noqa: PLC0415, most commands pool nothing

    found = process.extractOne(plain, earlier.keys(), scorer=fuzz.ratio, score_cutoff=NEAR)
    return None if found is None else str(found[0])
