"""The only writer of a site: all of it, or nothing.

A new tree is made beside the old one, of new files and of second names of those that stay, and
takes its place in one step. Where a folder cannot give its place to another, files are moved into
it one by one.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from grader.errors import Mistake
from grader.site import inplace, swapping
from grader.site.manifest import MANIFEST, PUBLIC, Manifest, keep_apart, made
from grader.site.staging import Page, Staged, ours, stage, staging

_STAGING = ".publishing-"
# What organisers keep to themselves, overviews too; a kit, which has ids instead of gold, may be
# served.
_PRIVATE = ("task.toml", "gold.csv", "gold.tsv", "gold.json*", "*.db", "overview.json")
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
        _keep_private(out)
        keep_apart(out, audience)
        _keep_to_sites(out)
        out.mkdir(parents=True, exist_ok=True)
        with _alone(out):
            return _publish(pages, out, (audience, under), within or nullcontext())
    except OSError as e:
        raise Mistake(
            f"the site cannot be written to {out}: {e.strerror or e}",
            "the site that was there is whole and unchanged; when this is mended:",
            mend="the same command again",
        ) from e


def _keep_private(out: Path) -> None:
    """Mistake if ``out``, or a folder up to two below it, holds what no participant may read."""
    for pattern in (f"{depth}{name}" for depth in ("", "*/", "*/*/") for name in _PRIVATE):
        for file in out.glob(pattern):
            kit = file.name == "task.toml" and file.with_name(_KIT).exists()
            if file.is_file() and not kit:
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
        staged = stage(pages, out, folder)
        new, gone = _new(staged, out, *whose)
        done = Published(len(staged.waiting), len(staged.unchanged), len(gone))
        if not swappable:
            with within:
                inplace.move_in(staged, gone, out, new)
            return done
        swapping.complete(staged, out, new)
        with swapping.undone(folder, out) as swap, within:
            if not swap():
                _copied_in(staged, gone, out, new)
        return done


def _new(
    staged: Staged, out: Path, audience: str, under: str
) -> tuple[tuple[Manifest, str], list[str]]:
    """The manifest as it is to be, for whom, and the paths that go."""
    mine = ours(out)
    kept = {p for p in mine if not p.startswith(under)}
    gone = sorted(mine - kept - staged.paths)
    keys = {p: one for p, one in made(out).items() if p in kept} | staged.made
    paths = frozenset(kept | staged.paths)
    return (Manifest(paths, keys), audience), gone


def _copied_in(staged: Staged, gone: list[str], out: Path, new: tuple[Manifest, str]) -> None:
    """Move files in that wait on what may be another disk."""
    with staging(out, _STAGING) as folder:
        for path in staged.waiting:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(staged.folder / path, folder / path)
        inplace.move_in(Staged(folder, staged.waiting), gone, out, new)


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
