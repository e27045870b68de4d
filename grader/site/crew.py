"""What several processes do at once: pages are in the order in which one would make them."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence

from grader.processors import crew, processors
from grader.publishing import Page

ENOUGH = 50  # works from which forking is worth it

Work = Callable[[], Sequence[Page]]


def shared_out(works: Sequence[Work]) -> Iterator[Sequence[Page]]:
    """Yield what each work makes.

    Processes are forked: they have what there is, without being told. Only Linux forks safely, and
    only from a process of one thread; elsewhere one makes all.
    """
    many = processors()
    if many == 1 or len(works) < ENOUGH or sys.platform != "linux":
        for work in works:
            yield work()
        return
    global _works  # noqa: PLW0603, forked processes have it
    _works = works
    gc.freeze()  # a collection in a child would copy every page of memory
    try:
        with crew(many, "fork", tuple) as pool:
            yield from pool.map(_made, range(len(works)))
    finally:
        _works = ()
        gc.unfreeze()


_works: Sequence[Work] = ()


def _made(number: int) -> Sequence[Page]:
    return _works[number]()
