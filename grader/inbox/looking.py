"""Which files wait in the folders of tasks and teams."""

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader import store
from grader.inbox.box import REPORTS, Box
from grader.model import Team
from grader.plural import counted

UNFINISHED = (".part", ".partial", ".filepart", ".crdownload", ".tmp", ".temp", ".swp", "~")

Sight = tuple[int, int, int]  # a file's inode, size and time of change
Look = Mapping[Path, tuple[Sight, float]]  # and since when it looks so


def look(box: Box, before: Look) -> Look:
    """The files that wait in the folders of registered tasks and teams, as they are now.

    raises  Unavailable, if the database cannot tell which those are
    """
    found = list(_waiting(box))
    now = time.monotonic()  # only now: a slow database is no time in which a file kept still
    seen = {path: (sight, now) for path, sight in found}
    return {p: before[p] if p in before and before[p][0] == s[0] else s for p, s in seen.items()}


def _waiting(box: Box) -> Iterator[tuple[Path, Sight]]:
    with store.reading(box.engine) as db:
        tasks, teams = set(store.slugs(db)), store.teams(db)
    for task in _folders(box, box.folder):
        for team in _folders(box, task):
            files = _files(box, team)
            if task.name in tasks and named(teams, team.name):
                yield from files
            elif waiting := sum(1 for _ in files):
                what = "team" if task.name in tasks else "task"
                said = f"left: there is no {what} of that name; {counted(waiting, 'file')} in it"
                box.tell(team if what == "team" else task, said)


def named(teams: Sequence[Team], folder: str) -> str:
    """The team that a folder is called after, by name, alias or slug; empty if none."""
    known = {store.folded(name): t.name for t in teams for name in (t.name, *t.aliases)}
    slugs = {t.slug: t.name for t in teams}
    return known.get(store.folded(folder)) or slugs.get(folder, "")


def _folders(box: Box, folder: Path) -> Iterator[Path]:
    """Yield the folders in a folder, by name; links and hidden ones are not looked into."""
    for entry in _entries(box, folder):
        if entry.is_dir(follow_symlinks=False):
            yield Path(entry.path)
        elif folder != box.folder:
            box.tell(Path(entry.path), "left: files belong into the folder of a team")


def _entries(box: Box, folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted((e for e in found if e.name[0] != "."), key=lambda e: e.name)
    except OSError as e:
        box.tell(folder, f"cannot be looked into: {e.strerror}")
        return []


def _files(box: Box, folder: Path) -> Iterator[tuple[Path, Sight]]:
    """Yield the files of a team's folder that may be runs, and how they look."""
    for entry in _entries(box, folder):
        if entry.name.endswith((*REPORTS, *UNFINISHED)):
            continue
        path = Path(entry.path)
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:  # it went away
            continue
        if not stat.S_ISREG(status.st_mode):
            box.tell(path, "left: it is no plain file")
        elif status.st_nlink != 1:  # perhaps of a file that its sender may not read
            box.tell(path, "left: it is a second name of another file")
        else:
            yield path, sight(status)


def sight(status: os.stat_result) -> Sight:
    return status.st_ino, status.st_size, status.st_mtime_ns
