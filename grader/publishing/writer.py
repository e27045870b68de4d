"""The only writer of a site: all of it, or nothing.

A new tree is made beside the old one, of new files and of second names of those that stay, and
takes its place in one step. Where a folder cannot give its place to another, files are moved into
it one by one.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from grader.errors import Mistake
from grader.publishing import inplace, swapping
from grader.publishing.manifest import (
    MANIFEST,
    PUBLIC,
    Manifest,
    content_of,
    keep_apart,
    manifest,
    same,
)
from grader.publishing.staging import Page, Staged, stage, staging, tree
from grader.publishing.twin import bring_late, complete, twin

_STAGING = ".publishing-"
# What organisers keep to themselves, overviews too; a kit, which has ids instead of gold, may be
# served.
_PRIVATE = re.compile(r"task\.toml|gold\.([ct]sv|json.*)|.*\.db|overview\.json", re.DOTALL)
_KIT = "ids.csv"
# What a web root holds beside pages, and hidden files: a first publish may find these.
_OF_ROOTS = {"CNAME", "robots.txt", "favicon.ico", "lost+found"}


@dataclass(frozen=True, slots=True)
class Published:
    """How many files were written, found the same, and removed."""

    written: int
    unchanged: int
    removed: int


def publish(
    pages: Iterable[Page | tuple[str, bytes]],
    out: Path,
    audience: str = PUBLIC,
    under: str = "",
    within: AbstractContextManager[object] | None = None,
) -> Published:
    """Make ``out`` hold these pages; what an earlier publish put there and is gone goes.

    A file that this function did not write is neither changed nor removed: it is in the new site
    as it was in the old one.

    audience  for whom the pages are: what is in ``out`` is for no one else
    under     the start of the addresses that are made anew; others stay
    within    is entered when all files are written, and left when they are in their places

    raises  Mistake, if ``out`` cannot be written, is no site of ours, has a file of someone else
            in the way of a page, would serve gold, a task or a database too, or has pages for
            others; then the site that was there is whole and unchanged
    """
    out = Path(os.path.realpath(out))
    try:
        swapping.recover(out)
        near = _near(out)
        _keep_private(out, near)
        keep_apart(out, audience, [folder for folder, names in near.items() if MANIFEST in names])
        _keep_to_sites(out)
        with _room(out):
            return _publish(pages, out, (audience, under), within or nullcontext())
    except OSError as e:
        raise Mistake(
            f"the site cannot be written to {out}: {e.strerror or e}",
            "the site that was there is whole and unchanged; when this is mended:",
            mend="the same command again",
        ) from e


def _near(out: Path) -> Mapping[str, list[str]]:
    """The names of the files in ``out`` and in folders up to two below it, also behind links."""
    found, deepest = {}, str(out).count(os.sep) + 2
    for folder, folders, files in os.walk(out, followlinks=True):
        found[folder] = files
        if folder.count(os.sep) == deepest:
            folders.clear()
    return found


def _keep_private(out: Path, near: Mapping[str, list[str]]) -> None:
    """Mistake if ``out``, or a folder near it, holds what no participant may read."""
    for folder, names in near.items():
        for name in filter(_PRIVATE.fullmatch, names):
            kit = name == "task.toml" and _KIT in names
            if not kit and (file := Path(folder, name)).is_file():
                raise Mistake(
                    f"{file} would be served with the site: {out} is no folder for pages",
                    "nothing was changed: publish to a folder of its own, or move that file away",
                    mend="grader publish site",
                )


def _keep_to_sites(out: Path) -> None:
    """Mistake if ``out`` holds files, and none of a publish: somebody has other uses for it."""
    if not out.is_dir() or (out / MANIFEST).exists():
        return
    names = sorted(file.name for file in out.iterdir())
    if foreign := [n for n in names if n not in _OF_ROOTS and not n.startswith(".")]:
        raise Mistake(
            f"{out} is no site: it holds {foreign[0]!r}, and no publish wrote to it",
            "nothing was changed: publish to a folder of its own; files may be put beside the "
            "pages once there are some",
            mend="grader publish site",
        )


def _publish(
    pages: Iterable[Page | tuple[str, bytes]],
    out: Path,
    whose: tuple[str, str],
    within: AbstractContextManager[object],
) -> Published:
    swappable = swapping.may_be_swapped(out)
    beside, prefix = (out.parent, swapping.prefix(out)) if swappable else (out, _STAGING)
    with staging(out, _STAGING) if swappable else nullcontext(), staging(beside, prefix) as folder:
        before = manifest(out)
        with twin(out, folder, before.paths) if swappable else nullcontext(folder) as waiting:
            staged, old = stage(pages, out, waiting, before), tree(out)
        new, gone = _new(staged, before, before.paths & old.files, whose)
        done = Published(len(staged.waiting), len(staged.unchanged), len(gone))
        if not staged.waiting and not gone and same(str(out / MANIFEST), content_of(new)):
            with within:
                return done
        if not swappable:
            with within:
                inplace.move_in(staged, gone, out, new)
            return done
        complete(folder, staged, gone, old, new)
        with swapping.undone(folder, out) as swap, within:
            swapped = swap()
            if not swapped:
                _copied_in(Staged(folder, staged.waiting), gone, out, new)
        if swapped:
            bring_late(folder, old, out)
        return done


def _new(
    staged: Staged, before: Manifest, mine: AbstractSet[str], whose: tuple[str, str]
) -> tuple[Manifest, list[str]]:
    """The manifest as it is to be, and the paths that go.

    mine   the paths that a publish wrote and that are there
    whose  for whom the pages are, and the start of the addresses that are made anew
    """
    audience, under = whose
    kept = {p for p in mine if not p.startswith(under)}
    gone = sorted(mine - kept - staged.paths)
    keys = {p: one for p, one in before.made.items() if p in kept} | staged.made
    return Manifest(frozenset(kept | staged.paths), keys, audience), gone


def _copied_in(staged: Staged, gone: list[str], out: Path, new: Manifest) -> None:
    """Move files in that wait on what may be another disk."""
    with staging(out, _STAGING) as folder:
        for path in staged.waiting:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(staged.folder / path, folder / path)
        inplace.move_in(Staged(folder, staged.waiting), gone, out, new)


@contextmanager
def _room(out: Path) -> Iterator[None]:
    """Make the folder if there is none, for this publish alone; what nothing came into goes."""
    above = (out, *out.parents)
    new = [folder for folder in above if not folder.exists()]
    out.mkdir(parents=True, exist_ok=True)
    with _alone(out):  # who is told to wait takes no folder from the other
        try:
            yield
        except BaseException:
            with suppress(OSError):
                for folder in new:
                    folder.rmdir()
            raise


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Keep a second publish out of the folder. Some network disks cannot: they go without."""
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            raise _busy(out) from e
        except OSError:
            pass
        if not os.path.samestat(os.fstat(folder), out.stat()):  # it was just swapped
            raise _busy(out)
        yield
    finally:
        os.close(folder)


def _busy(out: Path) -> Mistake:
    return Mistake(f"another publish is writing to {out}: wait until it has ended")
