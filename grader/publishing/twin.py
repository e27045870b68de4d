"""The site as it is to be, made of second names for the files of the old one, and of new files.

Files keep their inode, and so their times and owners; where disks have no second names, they are
copied. Most of this is done by another process, while pages are made.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from stat import S_ISDIR
from tempfile import mkdtemp

from grader.errors import Mistake
from grader.processors import meanwhile
from grader.publishing.manifest import MANIFEST, Manifest, content_of, size
from grader.publishing.staging import Staged, Tree, named, prune, remove, tree

_WAITING = ".waiting-"  # no page's path
_MANY = 1000  # files from which another process is worth it


@contextmanager
def twin(old: Path, folder: Path, paths: frozenset[str]) -> Iterator[Path]:
    """Give files of ours second names in ``folder``; yields where new files may wait.

    Nothing is written to a file that has two names: new files take the places of such.

    raises  Mistake, if the process that does it was killed
    """
    work = partial(_named, old, folder, sorted(paths))
    with meanwhile(work, worth=len(paths) >= _MANY) as done:
        yield Path(mkdtemp(prefix=_WAITING, dir=folder))
        done()


def _named(old: Path, folder: Path, paths: Iterable[str]) -> None:
    """The same; if a disk refuses, ``complete`` goes on, and says why it cannot."""
    with suppress(OSError):
        there = [path for path in paths if size(f"{old}/{path}") is not None]
        for place in sorted(_above(there)):
            (folder / place).mkdir(exist_ok=True)
        for path in there:
            named(f"{old}/{path}", f"{folder}/{path}")


def complete(folder: Path, staged: Staged, gone: list[str], old: Tree, new: Manifest) -> None:
    """Bring the twin up to the new site: with new files, and what is not ours.

    gone  the paths of ours that are no longer to be
    new   the manifest as it is to be

    raises  Mistake, if a file of someone else is where the site has a folder
    """
    there = {p for p in tree(folder).files if not p.startswith(_WAITING)}
    for path in (leave := there - new.paths):
        (folder / path).unlink()
    prune(folder, leave)
    others = sorted((old.files | old.odd).difference(new.paths, gone, [MANIFEST]))
    places = _above([*new.paths, *others, *(f"{place}/" for place in old.empty)])
    for place in sorted(places.difference(_above(there - leave))):
        (folder / place).mkdir(exist_ok=True)
    for path in staged.waiting:
        (staged.folder / path).replace(folder / path)
    for path in sorted(new.paths - staged.waiting - there):
        named(f"{old.folder}/{path}", f"{folder}/{path}")
    for path in others:
        if os.path.lexists(folder / path):
            raise Mistake(f"{old.folder / path} is in the way of the site's own pages")
        _carry(old.folder / path, folder / path)
    remove(staged.folder)
    (folder / MANIFEST).write_bytes(content_of(new))
    for place in places:
        _like(f"{old.folder}/{place}", f"{folder}/{place}")


def bring_late(left: Path, old: Tree, out: Path) -> None:
    """Move in what others put into the old site while the new one was completed.

    left  where the old site is now that the new one has its place
    old   what was looked through
    """
    now = tree(left)
    for path in sorted((now.files | now.odd) - old.files - old.odd):
        if not os.path.lexists(out / path):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (left / path).replace(out / path)


def _above(paths: Iterable[str]) -> set[str]:
    """The folders that lead to files: "" for the first."""
    found = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    return found


def _like(old: str, new: str) -> None:
    """Give a folder the mode of the one whose place it takes, and its owner if we may."""
    try:
        state = os.lstat(old)
    except OSError:
        return
    if S_ISDIR(state.st_mode):
        shutil.copystat(old, new)
        with suppress(OSError):
            os.chown(new, state.st_uid, state.st_gid)


def _carry(file: Path, to: Path) -> None:
    """A second name for a file, or a copy; of a link another link."""
    if file.is_symlink():
        to.symlink_to(file.readlink())
    else:
        named(str(file), str(to))
