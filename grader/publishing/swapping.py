"""A site whose folder gives its place to another, whole: nobody sees half of either."""

import ctypes
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
_OLD = ".old"
# A folder that another disk is mounted on, or that lies in one that we may not write to, stays.
_STAYS = {errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM, errno.EROFS}
_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


def prefix(out: Path) -> str:
    """How the names of folders begin that a publish to ``out`` makes beside it."""
    return f".{out.name}.publishing-"


def may_be_swapped(out: Path) -> bool:
    """Whether it looks as if a folder could give its place to one beside it."""
    return not os.path.ismount(out) and os.access(out.parent, os.W_OK | os.X_OK)


def recover(out: Path) -> None:
    """Put back the site that a publish moved aside, and was killed before the new one came."""
    if os.path.lexists(out):
        return
    for old in sorted(out.parent.iterdir()) if out.parent.is_dir() else ():
        if old.name.startswith(prefix(out)) and old.name.endswith(_OLD):
            old.rename(out)
            return


@contextmanager
def undone(new: Path, out: Path) -> Iterator[Callable[[], bool]]:
    """Yield what gives ``new`` the place of ``out``, and ``out`` that of ``new``.

    It says whether it did: a folder that cannot be moved stays. If something fails after that,
    the two are put back.
    """
    done = []

    def swap() -> bool:
        moved = exchange(new, out)
        done.extend([new] if moved else [])
        return moved

    try:
        yield swap
    except BaseException:
        if done:
            exchange(new, out)
        raise


def exchange(new: Path, out: Path) -> bool:
    """In one step where the system has one, else in two: ``recover`` mends what lies between."""
    try:
        if not _at_once(new, out):
            _in_steps(new, out)
    except OSError as e:
        if e.errno in _STAYS:
            return False
        raise
    return True


def _in_steps(new: Path, out: Path) -> None:
    """Rename both by way of a third name; back, if that fails."""
    old = new.with_name(f"{new.name}{_OLD}")
    steps = [(out, old), (new, out), (old, new)]
    for number, (one, to) in enumerate(steps):
        try:
            one.rename(to)
        except BaseException:
            for before, after in reversed(steps[:number]):
                after.rename(before)
            raise


def _at_once(new: Path, out: Path) -> bool:
    """Exchange two folders by one system call; False if there is none, or disks know none."""
    call = _renameat2()
    if call is None:
        return False
    if call(_FOLDER, os.fsencode(new), _FOLDER, os.fsencode(out), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(out))


@cache
def _renameat2() -> Any:  # noqa: ANN401, a function of the C library, or None
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is not None:
        text, number = ctypes.c_char_p, ctypes.c_int
        call.argtypes = (number, text, number, text, ctypes.c_uint)
    return call
