r"""Formulas in a few words of TeX, as MathML, which browsers draw by themselves.

Letters, digits and signs stand for themselves, and several capitals for one name. ``_`` and ``^``
set below and above, ``{}`` groups; ``\frac{}{}``, ``\bar{}``, ``\text{}``, ``\max``,
``\min`` and ``\log`` are known. What is set below and above a sum or an extreme are its limits.
"""

import re
from collections import deque
from collections.abc import Iterator

from markupsafe import Markup, escape

_TOKEN = re.compile(r"\\text\{[^}]*\}|\\[a-z]+|[0-9]+(?:\.[0-9]+)?|[A-Z]{2,}|\S")
_LIMITS = ("Σ", r"\max", r"\min")


def math(source: str) -> Markup:
    r"""The MathML of a formula, on a line of its own.

    >>> print(math(r"\frac{1}{n}"))
    <math display="block"><mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac></math>
    >>> print(math("x_i^2"))
    <math display="block"><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math>
    """
    tokens = deque(_TOKEN.findall(source))
    inside = "".join(_row(tokens))
    if tokens:
        raise ValueError(f"a brace too many in {source!r}")
    return Markup(f'<math display="block">{inside}</math>')  # noqa: S704, each token is escaped


def _row(tokens: deque[str]) -> Iterator[str]:
    """Yield the parts up to the brace that closes them, or the end."""
    while tokens and tokens[0] != "}":
        yield _scripted(tokens)


def _scripted(tokens: deque[str]) -> str:
    """A part, with what is set below and above it."""
    names = ("munder", "mover") if tokens[0] in _LIMITS else ("msub", "msup")
    part, set_at = _atom(tokens), {}
    while tokens and tokens[0] in ("_", "^"):
        sign = tokens.popleft()
        set_at[sign] = _atom(tokens)
    if len(set_at) > 1:
        name = "munderover" if names[0] == "munder" else "msubsup"
        return f"<{name}>{part}{set_at['_']}{set_at['^']}</{name}>"
    for sign, inside in set_at.items():
        name = names[sign == "^"]
        return f"<{name}>{part}{inside}</{name}>"
    return part


def _atom(tokens: deque[str]) -> str:
    """A letter, number, sign or group."""
    match tokens.popleft():
        case "{":
            inside = "".join(_row(tokens))
            tokens.popleft()
            made = f"<mrow>{inside}</mrow>"
        case r"\frac":
            made = f"<mfrac>{_atom(tokens)}{_atom(tokens)}</mfrac>"
        case r"\bar":
            made = f'<mover accent="true">{_atom(tokens)}<mo>¯</mo></mover>'
        case sign:
            made = _plain(sign)
    return made


def _plain(sign: str) -> str:
    """What stands for itself, or is a word."""
    if sign.startswith(r"\text"):
        return f"<mtext>{escape(sign[6:-1])}</mtext>"
    if sign.startswith("\\"):
        return f"<mo>{escape(sign[1:])}</mo>"
    if sign[0].isdigit():
        return f"<mn>{sign}</mn>"
    if sign == "Σ":
        return "<mo>∑</mo>"
    kind = "mi" if sign.isalpha() else "mo"
    return f"<{kind}>{escape(sign)}</{kind}>"
