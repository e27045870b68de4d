"""Macros that are printed very often: once with marks, which values take the place of."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from markupsafe import Markup, escape

_FIRST = 0xE000  # of characters for private use: the mark of the first value
_MARK = re.compile("[\ue000-\ue0ff]")
_APART = "\0"
_Cut = tuple[str, Callable[[Sequence[str]], Any]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A macro of a ``kind`` and of values: what it prints is cut where values stand.

    It is printed once for each kind and each set of values that are not empty; so it may ask no
    more of a value than whether there is one.

    macro  takes the parts of a kind, then the values; the kind is the program's own text
    """

    macro: Callable[..., str]
    cuts: dict[tuple[object, ...], _Cut] = field(default_factory=dict)

    def __call__(self, kind: tuple[object, ...], values: tuple[str, ...]) -> str:
        """What the macro prints of values that are HTML already, or text that was escaped."""
        text, chosen = self._cut((*kind, *map(bool, values)), len(values))
        return str(text % chosen(values))

    def each(
        self,
        same: tuple[object, ...],
        kinds: Sequence[Sequence[object]],
        values: Sequence[Sequence[str]],
    ) -> list[str]:
        """The same of many, by columns.

        same    the first parts of the kind, which all have
        kinds   the others, and ``values``: of each of the many
        """
        if not (values and values[0]):
            return []
        parts = [*map(_alike, kinds), *map(_there, values)]
        varied = [part for part in parts if isinstance(part, list)]
        keys = list(zip(*varied, strict=True)) or [()] * len(values[0])
        cuts = {own: self._cut((*same, *_kind(parts, own)), len(values)) for own in set(keys)}
        each = zip(map(cuts.__getitem__, keys), zip(*values, strict=True), strict=True)
        return [text % chosen(row) for (text, chosen), row in each]

    def _cut(self, kind: tuple[object, ...], values: int) -> _Cut:
        """The text with ``%s`` where values stand, and what picks these in their order.

        kind  with whether there is each of the ``values``
        """
        if kind not in self.cuts:
            given, there = kind[: len(kind) - values], kind[len(kind) - values :]
            marks = (chr(_FIRST + i) if one else "" for i, one in enumerate(there))
            printed = str(self.macro(*given, *marks)).replace("%", "%%")
            places = tuple(ord(mark) - _FIRST for mark in _MARK.findall(printed))
            chosen = itemgetter(*places) if places else _nothing
            self.cuts[kind] = _MARK.sub("%s", printed), chosen
        return self.cuts[kind]


def _nothing(_: Sequence[str]) -> tuple[()]:
    return ()


def _alike(column: Sequence[object]) -> object:
    """What all have in a column, or what each has."""
    return column[0] if column.count(column[0]) == len(column) else list(column)


def _there(values: Sequence[str]) -> object:
    """Whether all are there, or which are."""
    return all(values) or (any(values) and list(map(bool, values)))


def _kind(parts: Sequence[object], own: tuple[object, ...]) -> Iterator[object]:
    """The parts of a kind: of lists, in which the many differ, it has its own."""
    each = iter(own)
    return (next(each) if isinstance(part, list) else part for part in parts)


def each(macro: Callable[..., str], same: tuple[object, ...], *columns: Sequence[Any]) -> Markup:
    """What a macro prints of many things, which come by columns; it is a ``Pattern``.

    same  what all of them have, the first arguments of the macro; the program's own text

    Columns of what is no text are of its kind, and come first; text is escaped here.
    """
    many = len(columns[0]) if columns else 0
    kinds = [column for column in columns if many and not isinstance(column[0], str)]
    flat = escaped(list(chain.from_iterable(columns[len(kinds) :])))
    texts = [flat[start : start + many] for start in range(0, len(flat), many or 1)]
    found = _pattern(macro).each(same, kinds, texts)
    return Markup("".join(found))  # noqa: S704, of a macro, and text that was escaped


@lru_cache(1 << 9)
def once(macro: Callable[..., str], *given: object) -> str:
    """What a macro prints of what many pictures have alike: it follows from what is given."""
    return macro(*given)


def escaped(texts: Sequence[str]) -> list[str]:
    r"""The texts with their HTML escaped, all at once.

    >>> escaped(["<b>", "0.5"]), escaped(["&\0", ""]), escaped([])
    (['&lt;b&gt;', '0.5'], ['&amp;\x00', ''], [])
    """
    if not any(texts):
        return list(texts)
    made = str(escape(_APART.join(texts))).split(_APART)
    return made if len(made) == len(texts) else [str(escape(text)) for text in texts]


@cache
def _pattern(macro: Callable[..., str]) -> Pattern:
    return Pattern(macro)
