"""New files wait in a folder of their own: a full disk is found out while nothing changed."""

import os
import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import starmap
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from grader.errors import Mistake
from grader.publishing.manifest import MANIFEST, Made, Manifest, digest, safe, same, size

_THREADS, _FEW = 8, 32  # few files are removed sooner than a thread begins


class Page(NamedTuple):
    """A file of a site: its path and bytes, and where it may be kept, of what it is made.

    ``content`` None: the file that an earlier publish made of the same ``key`` stays.
    """

    path: str
    content: bytes | None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Staged:
    """The paths of new files, which wait in ``folder``, and of those that stay as they are."""

    folder: Path
    waiting: set[str] = field(default_factory=set)
    unchanged: set[str] = field(default_factory=set)
    made: dict[str, Made] = field(default_factory=dict)

    @property
    def paths(self) -> set[str]:
        return self.unchanged | self.waiting

    def __contains__(self, path: str) -> bool:
        return path in self.unchanged or path in self.waiting


@contextmanager
def staging(beside: Path, prefix: str) -> Iterator[Path]:
    """A folder in ``beside``; also removes what a killed publish left."""
    for left in beside.iterdir():
        if left.name.startswith(prefix):
            remove(left)
    folder = Path(mkdtemp(prefix=prefix, dir=beside))
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, as far as may be.

    Threads wait for the disk: one that is told of each free block takes milliseconds over it.
    """
    with suppress(OSError), ThreadPoolExecutor(_THREADS) as crew:
        for _, folders, files, here in os.fwalk(folder, topdown=False):
            with suppress(OSError):
                os.fchmod(here, 0o700)  # old trees have the modes that folders of the site have
            names = [*folders, *files]
            each, parts = (crew.map, _THREADS) if len(names) > _FEW else (map, 1)
            deque(each(partial(_remove, here), [names[k::parts] for k in range(parts)]), maxlen=0)
        folder.rmdir()


def _remove(here: int, names: Iterable[str]) -> None:
    """Remove files, links and empty folders from the open folder ``here``."""
    for name in names:
        with suppress(OSError):
            try:
                os.unlink(name, dir_fd=here)
            except (IsADirectoryError, PermissionError):  # what Linux and macOS say of a folder
                os.rmdir(name, dir_fd=here)


def stage(
    pages: Iterable[Page | tuple[str, bytes]], out: Path, folder: Path, before: Manifest
) -> Staged:
    """Write every file that is new or different into ``folder``, at its path."""
    staged, places = Staged(folder), set()
    for path, content, key in starmap(Page, pages):
        if not safe(path) or path == MANIFEST or path in staged:
            raise ValueError(f"{path!r} cannot be the address of one page")
        target = f"{out}/{path}"
        if content is None:
            one = before.made.get(path)
            if one is None or one.key != key:
                raise ValueError(f"{path!r} was never made of {key!r}")
            if size(target) is None:
                raise Mistake(
                    f"{target} was taken away while the site was made",
                    "nothing was changed:",
                    mend="the same command again",
                )
            staged.made[path] = one
            staged.unchanged.add(path)
            continue
        if key:
            staged.made[path] = Made(key, digest(content))
        if same(target, content):
            staged.unchanged.add(path)
            continue
        _keep_foreign(target, ours=path in before.paths)
        if (place := path.rpartition("/")[0]) not in places:
            _keep_inside(out, place)
            (folder / place).mkdir(parents=True, exist_ok=True)
            places.add(place)
        (folder / path).write_bytes(content)
        staged.waiting.add(path)
    return staged


def _keep_foreign(target: str, *, ours: bool) -> None:
    """Mistake if a file of someone else, or a folder, is in the way of a page."""
    if not os.path.lexists(target):
        return
    there = Path(target)
    if not ours or (there.is_dir() and not there.is_symlink()):
        raise Mistake(
            f"{target} is in the way: the site has a page of that name, and no earlier "
            "publish wrote this file",
            "nothing was changed: move it away, or publish to another folder",
        )


def _keep_inside(out: Path, place: str) -> None:
    """Mistake if ``place`` leads out of ``out`` by a link, or a file is in the way of a folder."""
    folder = out / place
    if not Path(os.path.realpath(folder)).is_relative_to(out):
        raise Mistake(f"{folder} lies outside {out}: a folder on the way is a link")
    above = (folder, *folder.parents)
    if blocked := next((p for p in above if p.exists() and not p.is_dir()), None):
        raise Mistake(
            f"{blocked} is in the way: the site has a folder of that name",
            "nothing was changed: move it away, or publish to another folder",
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """What is in a folder and is reached by no link: paths of all files, and of empty folders.

    odd  links, what is no file, and folders that may not be read
    """

    folder: Path
    files: set[str] = field(default_factory=set)
    odd: set[str] = field(default_factory=set)
    empty: set[str] = field(default_factory=set)


def tree(folder: Path) -> Tree:
    """What is there now."""
    found, places = Tree(folder), [""]
    while places:
        place = places.pop()
        try:
            with os.scandir(f"{folder}/{place}") as read:
                entries = list(read)
        except PermissionError:
            found.odd.add(place)
            continue
        for entry in entries:
            path = f"{place}/{entry.name}" if place else entry.name
            if entry.is_dir(follow_symlinks=False):
                places.append(path)
            else:
                (found.files if entry.is_file(follow_symlinks=False) else found.odd).add(path)
        if not entries:
            found.empty.add(place)
    return found


def named(file: str, to: str) -> None:
    """Give a file a second name, or a copy where disks have none: its times are the same."""
    try:
        os.link(file, to)
    except OSError:
        _copied(file, to)


def _copied(file: str, to: str) -> None:
    """Copy a file whole, or not at all."""
    try:
        shutil.copy2(file, to)
    except BaseException:
        with suppress(OSError):
            Path(to).unlink()
        raise


def prune(out: Path, gone: Iterable[str]) -> None:
    """Remove the folders that removing files left empty."""
    folders = {parent for p in gone for parent in (out / p).parents if out in parent.parents}
    for folder in sorted(folders, reverse=True):
        with suppress(OSError):
            folder.rmdir()
