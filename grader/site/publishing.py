"""The only writer of a site: all of it, or nothing.

New files are first written to a staging folder inside the target, so that a full disk is
found out while the old site is whole; then each is moved into place.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from grader.errors import Mistake
from grader.site.manifest import (
    MANIFEST,
    PUBLIC,
    keep_apart,
    manifest,
    safe,
    same,
    write_manifest,
)

_STAGING = ".publishing-"
# What organisers keep to themselves, overviews too; a kit, which has ids instead of gold, may be
# served.
_PRIVATE = ("task.toml", "gold.csv", "gold.tsv", "gold.json*", "*.db", "overview.json")
_KIT = "ids.csv"


@dataclass(frozen=True, slots=True)
class Published:
    """How many files were written, found the same, and removed."""

    written: int
    unchanged: int
    removed: int


@dataclass(frozen=True, slots=True)
class _Staged:
    """The new files by path, where each waits; and the paths whose files stay as they are."""

    waiting: dict[str, Path]
    unchanged: set[str]

    @property
    def paths(self) -> set[str]:
        return self.unchanged | set(self.waiting)


def publish(
    pages: Iterable[tuple[str, bytes]],
    out: Path,
    audience: str = PUBLIC,
    under: str = "",
    within: AbstractContextManager[object] | None = None,
) -> Published:
    """Make ``out`` hold these pages; what an earlier publish put there and is gone goes.

    A file that this function did not write is neither changed nor removed.

    audience  for whom the pages are: what is in ``out`` is for no one else
    under     the start of the addresses that are made anew; others stay
    within    is entered when all files are written, and left when they are in their places

    raises  Mistake, if ``out`` cannot be written, a file of someone else is in the way, or gold,
            a task or a database would be served too, or pages for others are there; then the
            site that was there is whole and unchanged
    """
    _keep_private(out)
    keep_apart(out, audience)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _alone(out), _staging(out) as staging:
            staged = _stage(pages, out, staging, manifest(out))
            with within or nullcontext():
                return _publish(staged, out, staging, (audience, under))
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


def _publish(staged: _Staged, out: Path, staging: Path, whose: tuple[str, str]) -> Published:
    audience, under = whose
    before = manifest(out)
    kept = {p for p in before if not p.startswith(under)}
    gone = sorted(p for p in before - kept - staged.paths if _is_ours(out, p))
    for path in staged.waiting:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
    # Whenever this stops, the manifest in place names every file of ours.
    write_manifest(out, staging, before | staged.paths, audience)
    _move(staged.waiting, gone, out, staging)
    write_manifest(out, staging, kept | staged.paths, audience)
    _prune(out, gone)
    return Published(len(staged.waiting), len(staged.unchanged), len(gone))


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Keep a second publish out of the folder. Some network disks cannot: they go without."""
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            raise Mistake(f"another publish is writing to {out}: wait until it has ended") from e
        except OSError:
            pass
        yield
    finally:
        os.close(folder)


@contextmanager
def _staging(out: Path) -> Iterator[Path]:
    """A folder beside the site's files; also removes what a killed publish left."""
    for left in out.glob(f"{_STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)
    made = Path(mkdtemp(prefix=_STAGING, dir=out))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _stage(
    pages: Iterable[tuple[str, bytes]], out: Path, staging: Path, before: set[str]
) -> _Staged:
    """Write every file that is new or different to the staging folder."""
    staged = _Staged({}, set())
    for number, (path, content) in enumerate(pages):
        if not safe(path) or path in staged.paths or path == MANIFEST:
            raise ValueError(f"{path!r} cannot be the address of one page")
        target = out / path
        if same(target, content):
            staged.unchanged.add(path)
            continue
        if path not in before and os.path.lexists(target):
            raise Mistake(
                f"{target} is in the way: the site has a page of that name, and no earlier "
                "publish wrote this file",
                "nothing was changed: move it away, or publish to another folder",
            )
        if not _inside(out, target):
            raise Mistake(f"{target} lies outside {out}: a folder on the way is a link")
        waiting = staging / str(number)
        waiting.write_bytes(content)
        staged.waiting[path] = waiting
    return staged


def _move(waiting: dict[str, Path], gone: list[str], out: Path, staging: Path) -> None:
    """Put the new files in place and take the old ones away; undo it all if one fails.

    The deepest pages go first, so that no list points to a page that is not there yet.
    """
    order = sorted(waiting, key=lambda p: (p.endswith("index.html"), -p.count("/"), p))
    kept = {p: _keep(out / p, staging / f"old-{n}") for n, p in enumerate([*order, *gone])}
    done: list[str] = []
    try:
        for path in order:
            done.append(path)
            waiting[path].replace(out / path)
        for path in gone:
            done.append(path)
            (out / path).unlink()
    except BaseException:
        for path in reversed(done):
            old = kept[path]
            if old is not None:
                old.replace(out / path)
            else:
                (out / path).unlink(missing_ok=True)
        raise


def _keep(file: Path, copy: Path) -> Path | None:
    """A second name for a file as it is now, or a copy where disks have no second names."""
    if not file.exists():
        return None
    try:
        copy.hardlink_to(file)
    except OSError:
        shutil.copy2(file, copy)
    return copy


def _inside(out: Path, target: Path) -> bool:
    """Does a file lie in ``out`` also when links on the way are followed?"""
    return Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(out))


def _is_ours(out: Path, path: str) -> bool:
    target = out / path
    return target.is_file() and not target.is_symlink() and _inside(out, target)


def _prune(out: Path, gone: list[str]) -> None:
    """Remove the folders that removing files left empty."""
    folders = {parent for p in gone for parent in (out / p).parents if out in parent.parents}
    for folder in sorted(folders, reverse=True):
        with suppress(OSError):
            folder.rmdir()
