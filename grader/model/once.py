"""What several functions ask of the same noun: found once, kept with the noun."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Noun = TypeVar("Noun")
Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")


def once(
    find: Callable[Concatenate[Noun, Rest], Answer],
) -> Callable[Concatenate[Noun, Rest], Answer]:
    """A cached property with parameters, outside the class: what is found goes when the noun goes.

    The noun is a frozen dataclass without slots; the other arguments can be hashed. Nobody changes
    what is returned.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def asked(noun: Noun, /, *rest: Rest.args, **named: Rest.kwargs) -> Answer:
        kept: dict[Any, Answer] = noun.__dict__.setdefault("_once", {})
        key = (name, rest, tuple(named.items()))
        if key not in kept:
            kept[key] = find(noun, *rest, **named)
        return kept[key]

    return asked


def settled(
    find: Callable[Concatenate[Noun, Rest], Noun],
) -> Callable[Concatenate[Noun, Rest], Noun]:
    """Of a function that hands back as it is what it found itself: that is not found again.

    Nouns and arguments are as those of ``once``.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def asked(noun: Noun, /, *rest: Rest.args, **named: Rest.kwargs) -> Noun:
        key = (name, rest, tuple(named.items()))
        if key in noun.__dict__.get("_settled", ()):
            return noun
        found = find(noun, *rest, **named)
        found.__dict__.setdefault("_settled", set()).add(key)
        return found

    return asked
