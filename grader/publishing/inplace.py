"""A site changed file by file, where its folder cannot be given another's place."""

from dataclasses import replace
from pathlib import Path

from grader.publishing.manifest import MANIFEST, Manifest, content_of, same
from grader.publishing.staging import Staged, named, prune


def move_in(staged: Staged, gone: list[str], out: Path, new: Manifest) -> None:
    """Put the new files in place and take the old ones away; undo it all if one fails.

    Somebody may see new pages beside old ones meanwhile, and a publish that is killed leaves
    them so; the next one mends it: whenever this stops, the manifest names every file of ours.

    new  the manifest as it is to be
    """
    for path in staged.waiting:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
    # No page counts as made until all are.
    between = replace(new, paths=new.paths.union(gone), made={})
    _write_manifest(content_of(between), out, staged.folder)
    _move(staged, gone, out)
    _write_manifest(content_of(new), out, staged.folder)
    prune(out, gone)


def _write_manifest(content: bytes, out: Path, folder: Path) -> None:
    if not same(str(out / MANIFEST), content):
        waiting = folder / MANIFEST
        waiting.write_bytes(content)
        waiting.replace(out / MANIFEST)


def _move(staged: Staged, gone: list[str], out: Path) -> None:
    """The deepest pages go first, so that no list points to a page that is not there yet."""
    order = sorted(staged.waiting, key=lambda p: (p.endswith("index.html"), -p.count("/"), p))
    old = staged.folder / ".old"  # no page's path
    old.mkdir()
    kept = {p: _keep(out / p, old / str(n)) for n, p in enumerate([*order, *gone])}
    done: list[str] = []
    try:
        for path in order:
            done.append(path)
            (staged.folder / path).replace(out / path)
        for path in gone:
            done.append(path)
            (out / path).unlink()
    except BaseException:
        for path in reversed(done):
            before = kept[path]
            if before is not None:
                before.replace(out / path)
            else:
                (out / path).unlink(missing_ok=True)
        raise


def _keep(file: Path, copy: Path) -> Path | None:
    """What a file is now; None if it is not there."""
    if not file.exists():
        return None
    named(str(file), str(copy))
    return copy
