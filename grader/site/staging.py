"""New files wait in a folder of their own: a full disk is found out while nothing changed."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from grader.errors import Mistake
from grader.site.manifest import MANIFEST, Made, digest, made, manifest, safe, same


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


@contextmanager
def staging(beside: Path, prefix: str) -> Iterator[Path]:
    """A folder in ``beside``; also removes what a killed publish left."""
    for left in beside.iterdir():
        if left.name.startswith(prefix):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(mkdtemp(prefix=prefix, dir=beside))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stage(pages: Iterable[Page | tuple[str, bytes]], out: Path, folder: Path) -> Staged:
    """Write every file that is new or different into ``folder``, at its path."""
    staged, before, known = Staged(folder), manifest(out), made(out)
    for path, content, key in (Page(*page) for page in pages):
        if not safe(path) or path in staged.paths or path == MANIFEST:
            raise ValueError(f"{path!r} cannot be the address of one page")
        target = out / path
        if content is None:
            if path not in known or known[path].key != key or not target.is_file():
                raise ValueError(f"{path!r} was never made of {key!r}")
            staged.made[path] = known[path]
            staged.unchanged.add(path)
            continue
        if key:
            staged.made[path] = Made(key, digest(content))
        if same(target, content):
            staged.unchanged.add(path)
            continue
        _may_be_written(path, out, ours=path in before)
        waiting = folder / path
        waiting.parent.mkdir(parents=True, exist_ok=True)
        waiting.write_bytes(content)
        staged.waiting.add(path)
    return staged


def _may_be_written(path: str, out: Path, *, ours: bool) -> None:
    """Mistake if a file of someone else is in the way of a page."""
    target = out / path
    if not ours and os.path.lexists(target):
        raise Mistake(
            f"{target} is in the way: the site has a page of that name, and no earlier "
            "publish wrote this file",
            "nothing was changed: move it away, or publish to another folder",
        )
    if not inside(out, target):
        raise Mistake(f"{target} lies outside {out}: a folder on the way is a link")
    above = (out / parent for parent in Path(path).parents)
    if blocked := next((p for p in above if p.exists() and not p.is_dir()), None):
        raise Mistake(
            f"{blocked} is in the way: the site has a folder of that name",
            "nothing was changed: move it away, or publish to another folder",
        )


def inside(out: Path, target: Path) -> bool:
    """Does a file lie in ``out`` also when links on the way are followed?"""
    return Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(out))


def named(file: Path, to: Path) -> None:
    """Give a file a second name, or a copy where disks have none: its times are the same."""
    try:
        to.hardlink_to(file)
    except OSError:
        shutil.copy2(file, to)


def ours(out: Path) -> set[str]:
    """The paths of the manifest that are files in ``out``, and reached by no link."""
    paths = {path for path in manifest(out) if _plain(out / path)}
    parents = {(out / path).parent for path in paths}
    within = {parent for parent in parents if inside(out, parent / MANIFEST)}
    return {path for path in paths if (out / path).parent in within}


def _plain(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()
