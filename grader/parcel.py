"""One file as it came in at a door, as the uploads that are in it."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePosixPath

from grader.archives import bundled, opened
from grader.formats import LIMIT
from grader.model import Problem, Upload
from grader.plural import counted

RUNS = 100  # in one archive
LONGEST = 200  # characters of a name


def unpacked(sent: Upload) -> tuple[Upload, ...] | Problem:
    """The runs of a file, each with its own bytes and file name, and a name if it has none.

    A run that came packed has the same bytes, and the same name, as if it had come plain;
    ``bundle`` is the digest of what was sent. What is no archive, or one that cannot be opened,
    stays as it is: whoever reads it says why. Of several runs ``filename`` is the path.

    returns  a Problem, for an archive of more than RUNS runs
    """
    parts = _parts(sent.payload)
    if not parts:
        return (_named(sent, run_name(sent.filename)),)
    if len(parts) > RUNS:
        said = f"the archive: {counted(len(parts), 'run')} in it, and {RUNS} are taken at once"
        return Problem("bad-archive", said, stops=True)
    digest = sha256(sent.payload).hexdigest()
    if len(parts) == 1:
        ((path, payload),) = parts
        file = _last(path) or sent.filename.removesuffix(".gz")
        packed = replace(sent, payload=payload, filename=file, bundle=digest)
        return (_named(packed, run_name(file)),)
    names = _names([path for path, _ in parts])
    return tuple(
        _named(replace(sent, payload=payload, filename=path, bundle=digest), names[path])
        for path, payload in parts
    )


def _names(paths: Sequence[str]) -> dict[str, str]:
    """The name of each run of a bundle: its file's, or as much of its path as tells it apart."""
    found: dict[str, str] = {}
    said: dict[str, str] = {}
    for form in (lambda path: run_name(_last(path)), _bare, str, _marked):
        said = {path: _sound(form(path)) for path in paths if path not in found}
        times = Counter((*said.values(), *found.values()))
        found |= {path: name for path, name in said.items() if times[name] == 1}
    return said | found


def _parts(payload: bytes) -> tuple[tuple[str, bytes], ...]:
    """Each run of an archive as (path in it, bytes); none of what is no archive."""
    if len(payload) > LIMIT:
        return ()
    members = bundled(payload, LIMIT)
    if not isinstance(members, Problem):
        return members
    whole = opened(payload, LIMIT)
    return () if isinstance(whole, Problem) or whole is payload else (("", whole),)


def _named(upload: Upload, name: str) -> Upload:
    return upload if upload.name else replace(upload, name=_sound(name))


def _sound(name: str) -> str:
    """A name that a run may have: not too long, and with a letter that is seen."""
    name = (name if len(name) <= LONGEST else _marked(name)).strip()
    plain = unicodedata.normalize("NFKC", name)
    seen = any(unicodedata.category(c) != "Cf" and not c.isspace() for c in plain)
    return name if seen else "run"


def _marked(path: str) -> str:
    """The beginning of a path, and a mark of the whole."""
    mark = sha256(path.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{path[: LONGEST - 9]}-{mark}"


def _bare(path: str) -> str:
    return path.removesuffix(PurePosixPath(path).suffix)


def _last(path: str) -> str:
    return PurePosixPath(path).name


def run_name(filename: str) -> str:
    """The name of a run that is given none: its file's, without the ending, packed or not.

    >>> run_name("net.v2.csv.gz"), run_name("net"), run_name(".csv")
    ('net.v2', 'net', '.csv')
    """
    return PurePosixPath(filename.removesuffix(".gz")).stem
