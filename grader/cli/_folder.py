"""Writing a folder of files for a person: all of it, or nothing.

The files are first written to a folder beside it, so that a full disk is found out before anything
is changed; then they are put in place.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.cli._files import write
from grader.errors import Mistake

LISTED = ".grader-files"  # in the folder: the files that it was given, one a line


def write_folder(out: Path, files: Mapping[str, bytes], *, again: bool = False) -> None:
    """Make ``out`` hold these files, the first of them first.

    Files of others stay, unless one of these has their name.

    again   the folder may be written anew: what an earlier such call wrote goes, and a list of the
            files says to the next one which they are

    raises  Mistake, if it cannot be written; then what was there is whole
    """
    whole = Path(os.path.realpath(out))
    try:
        whole.parent.mkdir(parents=True, exist_ok=True)
        with _beside(whole) as staging:
            for path, content in files.items():
                (staging / path).parent.mkdir(parents=True, exist_ok=True)
                (staging / path).write_bytes(content)
            if again:
                _list(staging, list(files))
            if whole.exists():
                _move(list(files), staging, whole, again=again)
            else:
                staging.rename(whole)
    except OSError as e:
        raise Mistake(f"{out} cannot be written: {e.strerror or e}") from e


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    """A new folder beside one; also removes what a command that was killed left there."""
    start, end = f".{out.name}.", ".part"
    for left in out.parent.iterdir():
        number = left.name.removeprefix(start).removesuffix(end)
        if left.name == f"{start}{number}{end}" and number.isdecimal() and not _runs(int(number)):
            shutil.rmtree(left, ignore_errors=True)
    made = out.with_name(f"{start}{os.getpid()}{end}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _runs(process: int) -> bool:
    """Whether another process of that number is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return process != os.getpid()


def _move(files: list[str], staging: Path, out: Path, *, again: bool) -> None:
    """Put the files in place and take the old ones away: the list always names all of ours."""
    for path in files:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        if (out / path).is_dir():
            raise Mistake(f"{out / path} is a folder, where a file would be: move it away")
    before = _listed(out) if again else []
    if again:
        _list(out, list(dict.fromkeys((*files, *before))))
    for path in files:
        (staging / path).replace(out / path)
    for path in sorted(set(before) - set(files)):
        (out / path).unlink(missing_ok=True)
        for folder in (out / path).parents[: path.count("/")]:
            with suppress(OSError):  # it holds others' files
                folder.rmdir()
    if again:
        _list(out, files)


def _list(folder: Path, files: list[str]) -> None:
    write(folder / LISTED, "".join(f"{path}\n" for path in files).encode(), over=True)


def _listed(out: Path) -> list[str]:
    """The files that an earlier call wrote; such as lie elsewhere are none of ours."""
    try:
        lines = (out / LISTED).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [path for path in lines if (out / path).resolve().is_relative_to(out) and path]
