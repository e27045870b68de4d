"""A site whose folder gives its place to another, whole: nobody sees half of either."""

import ctypes
import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import Mistake
from grader.site.manifest import MANIFEST, Manifest, content_of
from grader.site.staging import Staged, Tree, named

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


def complete(staged: Staged, gone: list[str], old: Tree, new: Manifest) -> None:
    """Bring the folder of new files up to a whole site: with what is unchanged, and of others.

    Files keep their inode, and so their times and owners; where disks have no second names, they
    are copied.

    gone  the paths of ours that are no longer to be
    new   the manifest as it is to be

    raises  Mistake, if a file of someone else is where the site has a folder
    """
    kept = sorted(new.paths - staged.waiting)
    others = sorted((old.files | old.odd).difference(new.paths, gone, [MANIFEST]))
    places = sorted(_above([*new.paths, *others, *(f"{place}/" for place in old.empty)]))
    for place in places:
        (staged.folder / place).mkdir(exist_ok=True)
    for path in kept:
        named(f"{old.folder}/{path}", f"{staged.folder}/{path}")
    for path in others:
        if os.path.lexists(staged.folder / path):
            raise Mistake(f"{old.folder / path} is in the way of the site's own pages")
        _carry(old.folder / path, staged.folder / path)
    (staged.folder / MANIFEST).write_bytes(content_of(new))
    for place in places:
        _like(old.folder / place, staged.folder / place)


def _above(paths: Iterable[str]) -> set[str]:
    """The folders that lead to files: "" for the first."""
    found = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    return found


def _like(old: Path, new: Path) -> None:
    """Give a folder the mode of the one whose place it takes, and its owner if we may."""
    if old.is_dir():
        shutil.copystat(old, new)
        state = old.stat()
        with suppress(OSError):
            os.chown(new, state.st_uid, state.st_gid)


def _carry(file: Path, to: Path) -> None:
    """A second name for a file, or a copy; of a link another link."""
    if file.is_symlink():
        to.symlink_to(file.readlink())
    else:
        named(str(file), str(to))


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
