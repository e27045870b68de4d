"""What several processes do at once: pages are in the order in which one would make them."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from grader.processors import crew, processors
from grader.site.manifest import MANIFEST, size
from grader.site.staging import Page

ENOUGH = 100  # works from which forking is worth it
_LISTED = 1 << 18  # bytes of a manifest
Found = TypeVar("Found")

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


@contextmanager
def meanwhile(find: Callable[[Path], Found], out: Path) -> Iterator[Callable[[], Found]]:
    """Yield what gives what is found in ``out``, which on Linux another process looks for."""
    if processors() == 1 or sys.platform != "linux" or not _is_large(out):
        yield partial(find, out)
        return
    with crew(1, "fork", tuple) as pool:
        yield pool.submit(find, out).result


def _is_large(out: Path) -> bool:
    """Whether forking is worth it."""
    listed = size(f"{out}/{MANIFEST}")
    return listed is not None and listed > _LISTED


def _made(number: int) -> Sequence[Page]:
    return _works[number]()
