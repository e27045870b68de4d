"""What earlier publishes wrote into a folder, for whom, and of what it was made."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from io import FileIO
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from grader.errors import Mistake

MANIFEST = "site.json"
PUBLIC = "public"
_NAME = r"[^./\\][^/\\]*"  # neither hidden nor a step upwards
_LARGE = 1 << 18  # bytes of a manifest
_PATH = re.compile(f"{_NAME}(/{_NAME})*")


class Made(NamedTuple):
    """Of what a page was made, as a digest, and the digest of its bytes."""

    key: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The paths that were written, of pages that may be kept how they were made, and for whom."""

    paths: frozenset[str]
    made: Mapping[str, Made] = field(default_factory=dict)
    audience: str = PUBLIC


def keep_apart(out: Path, audience: str, near: Iterable[str]) -> None:
    """Mistake if a folder ``near``, which has a manifest, or one above has pages for others."""
    for folder in (*map(Path, near), *out.resolve().parents):
        read = _read(folder)
        if read.get("files") and (found := read.get("for", PUBLIC)) != audience:
            raise Mistake(
                f"{folder} holds pages for {found}, and these are for {audience}",
                "nothing was changed: publish to a folder of its own",
            )


def manifest(out: Path) -> Manifest:
    """What earlier publishes wrote; raises Mistake if the manifest is not ours."""
    file = out / MANIFEST
    if not file.exists():
        return Manifest(frozenset())
    read = _read(out)
    found = read.get("files")
    if not isinstance(found, list) or not all(isinstance(p, str) and safe(p) for p in found):
        raise Mistake(
            f"{file} is not the list of files that a publish wrote",
            "nothing was changed: move it away, or publish to another folder",
        )
    paths = frozenset(found)
    return Manifest(paths, _made(read.get("made"), paths), str(read.get("for", PUBLIC)))


def _made(found: object, paths: frozenset[str]) -> dict[str, Made]:
    """How pages were made, of which the manifest says so; others are made again."""
    if not isinstance(found, dict):
        return {}
    return {
        path: Made(*each)
        for path, each in found.items()
        if path in paths
        and isinstance(each, list)
        and len(each) == 2
        and all(isinstance(digest, str) for digest in each)
    }


def known(out: Path) -> Mapping[str, str]:
    """The keys of the pages in ``out`` whose bytes are those that a publish wrote."""
    return {
        path: one.key
        for path, one in manifest(out).made.items()
        if size(file := f"{out}/{path}") is not None and digest(_content(file)) == one.sha256
    }


def large(out: Path) -> bool:
    """Whether so much is in ``out`` that another process is worth it."""
    listed = size(f"{out}/{MANIFEST}")
    return listed is not None and listed > _LARGE


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _read(out: Path) -> dict[str, Any]:
    """The manifest as it is; empty if it is none."""
    try:
        found = json.loads((out / MANIFEST).read_bytes())
    except (ValueError, OSError, RecursionError):  # lists in lists in lists are none of ours
        return {}
    return found if isinstance(found, dict) else {}


def content_of(found: Manifest) -> bytes:
    """A manifest as its file has it: a line for each path and each digest."""
    told: dict[str, object] = {} if found.audience == PUBLIC else {"for": found.audience}
    told["files"] = sorted(found.paths)
    if found.made:
        told["made"] = dict(sorted(found.made.items()))
    return json.dumps(told, separators=(",\n", ": ")).encode() + b"\n"


def safe(path: str) -> bool:
    """Is a path relative, written in one way only, and never upwards?"""
    return path.isprintable() and _PATH.fullmatch(path) is not None


def same(file: str, content: bytes) -> bool:
    return size(file) == len(content) and _content(file) == content


def size(file: str) -> int | None:
    """How many bytes it has; None if nothing is there, or no file but a link.

    It is asked of every page, so the way is a text: making a Path takes longer than the answer.
    """
    try:
        state = os.lstat(file)
    except OSError:
        return None
    return state.st_size if S_ISREG(state.st_mode) else None


def _content(file: str) -> bytes:
    with FileIO(file) as read:
        return read.readall()
