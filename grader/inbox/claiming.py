"""Files that were taken in, each with the instant at which that was."""

import errno
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.errors import Mistake
from grader.formats import LIMIT
from grader.inbox.box import Box
from grader.inbox.looking import Sight, sight

CLAIMED, DONE, LOCK, SIGHT = ".claimed", ".done", ".lock", ".sight"
_STAMP = "%Y%m%dT%H%M%S.%fZ"
_NAME = re.compile(r"([0-9]{8}T[0-9]{6}\.[0-9]{6}Z)-[0-9]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A file that was taken in, where it lies in ``.claimed``, and when that was."""

    file: Path
    received: datetime

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def task(self) -> str:
        return self.folder.parent.parent.name

    @property
    def team(self) -> str:
        return self.folder.parent.name

    def changed(self, now: Sight) -> bool:
        """Whether the file looks otherwise than when it was claimed: its sender still writes."""
        try:
            was = (self.folder / SIGHT).read_text(encoding="ascii")
        except FileNotFoundError:
            return False
        return was != _spelt(now)


def _spelt(seen: Sight) -> str:
    return " ".join(map(str, seen))


@contextmanager
def alone(box: Box) -> Iterator[bool]:
    """Wait until no other process works on the folder; False if told to stop meanwhile."""
    try:
        lock = (box.folder / LOCK).open("wb")
    except OSError as e:
        raise Mistake(f"{box.folder} cannot be written: {e.strerror}") from e
    with lock:
        while not box.stop.is_set():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                box.stop.wait(0.05)
            except OSError as e:
                raise Mistake(f"{box.folder} cannot be locked: {e.strerror}") from e
            else:
                yield True
                return
        yield False


def claim(box: Box, path: Path, seen: Sight, at: datetime) -> None:
    """Move a file into a folder of its own whose name is the instant; it never takes another's.

    How the file looked is kept there: whoever holds it open can write to it still.
    """
    place = Path(path.parent.parent.name, path.parent.name)
    stamp, n = at.astimezone(UTC).strftime(_STAMP), 1
    while any((box.folder / kept / place / f"{stamp}-{n}").exists() for kept in (CLAIMED, DONE)):
        n += 1
    folder = box.folder / CLAIMED / place / f"{stamp}-{n}"
    try:
        folder.mkdir(parents=True)
        (folder / SIGHT).write_bytes(_spelt(seen).encode())
        path.rename(folder / path.name)
    except FileNotFoundError:  # its sender took it back
        return
    except OSError as e:
        box.tell(path, f"left: it cannot be claimed: {e.strerror}")


def claims(box: Box) -> list[Claim]:
    """What is claimed, the oldest first; a folder whose file never came is taken away."""
    found = []
    for folder in (box.folder / CLAIMED).glob("*/*/*"):
        if not (stamp := _NAME.fullmatch(folder.name)):
            continue
        if file := next((f for f in folder.iterdir() if f.name[0] != "."), None):
            received = datetime.strptime(stamp[1], _STAMP).replace(tzinfo=UTC)
            found.append(Claim(file, received))
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return sorted(found, key=lambda claim: (claim.received, claim.file))


def contents(file: Path) -> tuple[bytes, Sight]:
    """The bytes of a plain file, and how it looks; OSError if it is none or is written to."""
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as source:
        before = os.fstat(source.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        payload = source.read(LIMIT + 1)  # one more tells that it is too large
        after = os.fstat(source.fileno())
    if sight(before) != sight(after):
        raise OSError(errno.EAGAIN, "it is still being written")
    return payload, sight(after)
