"""One file as it came in at a door, as the uploads that are in it."""

from collections import Counter
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
    stays as it is: whoever reads it says why.

    returns  a Problem, for an archive of more than RUNS runs
    """
    parts = _parts(sent.payload)
    if not parts:
        return (_named(sent, run_name(sent.filename)),)
    if len(parts) > RUNS:
        said = f"the archive: {counted(len(parts), 'run')} in it, and {RUNS} are taken at once"
        return Problem("bad-archive", said, stops=True)
    digest = sha256(sent.payload).hexdigest()
    stems = Counter(run_name(_last(path)) for path, _ in parts)
    found = []
    for path, payload in parts:
        file = _last(path) if path else sent.filename.removesuffix(".gz")
        alone = stems[run_name(file)] < 2 or not path
        name = run_name(file) if alone else path.removesuffix(PurePosixPath(path).suffix)
        packed = replace(sent, payload=payload, filename=file, bundle=digest)
        found.append(_named(packed, name))
    return tuple(found)


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
    return upload if upload.name else replace(upload, name=name[:LONGEST].strip() or "run")


def _last(path: str) -> str:
    return PurePosixPath(path).name


def run_name(filename: str) -> str:
    """The name of a run that is given none: its file's, without the ending, packed or not.

    >>> run_name("net.v2.csv.gz"), run_name("net"), run_name(".csv")
    ('net.v2', 'net', '.csv')
    """
    return PurePosixPath(filename.removesuffix(".gz")).stem
