"""A run by itself: all that its own pages may see, and a digest of it.

Pages of a run are not made again as long as nothing changed of what they are made of. So that no
page stays that should have changed, they are given nothing of other runs, and whatever they are
given is in the digest.
"""

import marshal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from grader.data import folder
from grader.model import Entry, Graded, Results
from grader.site.newest import latest_of
from grader.site.sheets import Contest, Sheet, valued

_USED = ("jinja2", "markdown-it-py", "markupsafe", "numpy")


@dataclass(frozen=True, slots=True)
class Lone:
    """A run, its phase and task without any other run.

    ``told`` is a digest of the phase and the task, and of what makes pages. ``last`` is the last
    instant at which anything of it came about; the contest's, too, since a page that told when it
    was made would be another each time.
    """

    contest: Contest
    on: Sheet
    entry: Entry
    last: object
    told: str

    @property
    def key(self) -> str:
        """A digest of all that its pages are made of, and of what prints them.

        It is sealed, since some of that is told to no reader: see ``_said``.
        """
        results = self.on.results
        said = _said(self.entry, counted=results.counted)
        return _digest(results.seal, self.told, _text(results.disputes), *said)


def lone(contest: Contest, mark: str) -> Iterator[Lone]:
    """Yield each run of a task that has a page.

    mark  what stands on top of every page
    """
    for on in contest.sheets:
        bare = _bare(on)
        now = bare if on is contest.now else _bare(contest.now)
        task = replace(contest, sheets=(bare,), now=now, at=on.results.gold.registered)
        told = _digest(makers(), mark, _text(task))
        for entry in on.taking_part:
            own = tuple(one for one in on.results.disputes if one.run == entry.slug)
            scores = {entry.slug: on.scores[entry.slug]}
            results = replace(bare.results, entries=(entry,), disputes=own)
            seen = valued(scores.values())
            mine = replace(bare, results=results, scores=scores, valued=seen)
            last = latest_of(mine, entry)
            first = mine if now is bare else now
            alone = replace(task, sheets=(mine,), now=first, at=last)
            yield Lone(alone, mine, entry, last, told)


def _bare(on: Sheet) -> Sheet:
    """A phase without runs, and without what stands beside them."""
    whole = on.results
    results = Results(
        whole.task,
        whole.gold,
        (),
        phase=whole.phase,
        unseen=whole.unseen,
        witness=whole.witness,
        guarded=whole.guarded,
        counted=whole.counted,
        veiled=whole.veiled,
        seal=whole.seal,
    )
    return replace(on, results=results, boards={}, scores={}, valued=frozenset())


def _said(entry: Entry, *, counted: bool) -> Iterator[bytes]:
    """Yield all that there is of a run; its scores by themselves, which are most of it.

    Of an analysis that is not read there is which one it is, which hangs on when the run came,
    and what the gate does to it.

    counted  whether pages show how many answers are right
    """
    graded: Graded | None = entry.graded
    if graded is None:
        yield _text(entry)
        return
    right = graded.right if counted else 0
    rest = replace(graded, scores=(), right=right, analysed=None, view=None)
    yield _text(replace(entry, graded=rest))
    yield _text(graded.analysed)
    scores = tuple(zip(*graded.scores, strict=True))
    try:
        yield marshal.dumps(scores, 2)  # of that version equal things have equal bytes
    except ValueError:  # a number of numpy
        yield _text(scores)


def _text(thing: object) -> bytes:
    """Everything in a noun; no long array is cut short."""
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return repr(thing).encode("utf-8", "backslashreplace")


def _digest(*parts: str | bytes) -> str:
    found = sha256()
    for part in parts:
        body = part.encode("utf-8", "backslashreplace") if isinstance(part, str) else part
        found.update(b"%d:" % len(body) + body)
    return found.hexdigest()


@cache
def makers() -> str:
    """A digest of what makes pages of nouns: the program, its templates, what it prints with."""
    code = Path(__file__).parents[1]
    used: Mapping[str, str] = {name: version(name) for name in _USED}
    shipped = (f for f in folder("templates").rglob("*") if f.parent.name != "__pycache__")
    files = [*code.rglob("*.py"), *filter(Path.is_file, shipped)]
    parts = [(str(file.name), file.read_bytes()) for file in sorted(files)]
    return _digest(sys.version, repr(used), *(one for part in parts for one in part))
