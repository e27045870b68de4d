"""An analysis that nobody has asked for yet."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.model.analysis import Analysis


@dataclass(frozen=True, repr=False, eq=False)
class Unread:  # noqa: PLW1641, a hash would read it
    """An analysis as it is stored, which is read when it is asked for: few of many are.

    ``reader`` takes the text, and ``brief``: whether no more is wanted than the verdict and the
    curve. Of these a board needs every run's, and they are half of the text.

    ``steps`` are what is done to it then, one after the other: a viewer that may not see all of
    it gets it no other way. ``source`` is another for each text there ever was, and depends on
    nothing that one says: what it says of itself has that and the steps, and no word of the text.
    """

    text: str
    reader: Callable[..., Analysis]
    source: str
    steps: tuple[tuple[Callable[..., Analysis], tuple[Any, ...]], ...] = ()

    def __repr__(self) -> str:
        steps = ((do, *given) for do, given in self.steps)
        named = [[getattr(each, "__qualname__", each) for each in step] for step in steps]
        return f"Unread({self.source!r}, {named!r})"

    def __eq__(self, other: object) -> bool:
        """Whether the same is read."""
        return self.read == (other.read if isinstance(other, Unread) else other)

    @cached_property
    def read(self) -> Analysis:
        return self._after(self.reader(self.text))

    @cached_property
    def brief(self) -> Analysis:
        """The verdict and the curve; the rest is empty, unless it was read anyway."""
        known: Analysis | None = self.__dict__.get("read")
        return known or self._after(self.reader(self.text, brief=True))

    def _after(self, found: Analysis) -> Analysis:
        """What the steps make of it."""
        for do, given in self.steps:
            found = do(found, *given)
        return found


def then(
    found: Analysis | Unread | None, do: Callable[..., Analysis], *given: object
) -> Analysis | Unread | None:
    """An analysis after something is done to it: at once, or as soon as it is read.

    do  a function of a module, which has a name; twice the same is as good as once, and no part
        of an analysis hangs on another
    """
    if not isinstance(found, Unread):
        return found and do(found, *given)
    step = (do, given)
    return found if step in found.steps[-1:] else replace(found, steps=(*found.steps, step))
