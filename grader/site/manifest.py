"""What earlier publishes wrote into a folder, for whom, and of what it was made."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from grader.errors import Mistake
from grader.tasks import RESERVED

MANIFEST = "site.json"
PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Made:
    """Of what a page was made, as a digest, and the digest of its bytes."""

    key: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The paths that were written, and of pages that need not be made again how they were made."""

    paths: frozenset[str]
    made: Mapping[str, Made] = field(default_factory=dict)


def tasks_shown(out: Path) -> set[str]:
    """The addresses of the tasks that the site in ``out`` has boards of.

    A team or a campaign may be called index: the folder that its page is in is no task.
    """
    boards = (p for p in manifest(out) if p.endswith("/index.html") and p.count("/") == 1)
    return {p.split("/")[0] for p in boards} - RESERVED


def keep_apart(out: Path, audience: str) -> None:
    """Mistake if ``out``, a folder above it or up to two below holds pages that are for others."""
    manifest(out)
    near = (file.parent for depth in ("*/", "*/*/") for file in out.glob(f"{depth}{MANIFEST}"))
    for folder in (out, *out.resolve().parents, *near):
        read = _read(folder)
        if read.get("files") and (found := read.get("for", PUBLIC)) != audience:
            raise Mistake(
                f"{folder} holds pages for {found}, and these are for {audience}",
                "nothing was changed: publish to a folder of its own",
            )


def manifest(out: Path) -> frozenset[str]:
    """The paths that earlier publishes wrote; raises Mistake if the manifest is not ours."""
    file = out / MANIFEST
    if not file.exists():
        return frozenset()
    found = _read(out).get("files")
    if not isinstance(found, list) or not all(isinstance(p, str) and safe(p) for p in found):
        raise Mistake(
            f"{file} is not the list of files that a publish wrote",
            "nothing was changed: move it away, or publish to another folder",
        )
    return frozenset(found)


def made(out: Path) -> Mapping[str, Made]:
    """How the pages in ``out`` were made, of which the manifest says so; others are made again."""
    paths, found = manifest(out), _read(out).get("made")
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
        for path, one in made(out).items()
        if (file := out / path).is_file()
        and not file.is_symlink()
        and digest(file.read_bytes()) == one.sha256
    }


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _read(out: Path) -> dict[str, Any]:
    """The manifest as it is; empty if it is none."""
    try:
        found = json.loads((out / MANIFEST).read_bytes())
    except (ValueError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


def content_of(found: Manifest, audience: str) -> bytes:
    """A manifest as its file has it."""
    told: dict[str, object] = {} if audience == PUBLIC else {"for": audience}
    told["files"] = sorted(found.paths)
    if found.made:
        told["made"] = {p: [one.key, one.sha256] for p, one in sorted(found.made.items())}
    return json.dumps(told, indent=0).encode() + b"\n"


def safe(path: str) -> bool:
    """Is a path relative, written in one way only, and never upwards?"""
    names = path.split("/")
    odd = any(name.startswith(".") or not name for name in names)
    return not odd and path.isprintable() and "\\" not in path and str(PurePosixPath(path)) == path


def same(target: Path, content: bytes) -> bool:
    return target.is_file() and not target.is_symlink() and target.read_bytes() == content
