"""What earlier publishes wrote into a folder, and for whom."""

import json
from pathlib import Path, PurePosixPath
from typing import Any

from grader.errors import Mistake

MANIFEST = "site.json"
PUBLIC = "public"


def tasks_shown(out: Path) -> set[str]:
    """The addresses of the tasks that the site in ``out`` has boards of."""
    boards = (p for p in manifest(out) if p.endswith("/index.html") and p.count("/") == 1)
    return {p.split("/")[0] for p in boards}


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


def manifest(out: Path) -> set[str]:
    """The paths that earlier publishes wrote; raises Mistake if the manifest is not ours."""
    file = out / MANIFEST
    if not file.exists():
        return set()
    found = _read(out).get("files")
    if not isinstance(found, list) or not all(isinstance(p, str) and safe(p) for p in found):
        raise Mistake(
            f"{file} is not the list of files that a publish wrote",
            "nothing was changed: move it away, or publish to another folder",
        )
    return set(found)


def _read(out: Path) -> dict[str, Any]:
    """The manifest as it is; empty if it is none."""
    try:
        found = json.loads((out / MANIFEST).read_bytes())
    except (ValueError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


def write_manifest(out: Path, staging: Path, paths: set[str], audience: str) -> None:
    whom = {} if audience == PUBLIC else {"for": audience}
    content = json.dumps({**whom, "files": sorted(paths)}, indent=0).encode() + b"\n"
    if not same(out / MANIFEST, content):
        waiting = staging / MANIFEST
        waiting.write_bytes(content)
        waiting.replace(out / MANIFEST)


def safe(path: str) -> bool:
    """Is a path relative, written in one way only, and never upwards?"""
    names = path.split("/")
    odd = any(name.startswith(".") or not name for name in names)
    return not odd and path.isprintable() and "\\" not in path and str(PurePosixPath(path)) == path


def same(target: Path, content: bytes) -> bool:
    return target.is_file() and not target.is_symlink() and target.read_bytes() == content
