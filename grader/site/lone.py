"""A run by itself: all that its own pages may see, and a digest of it.

Pages of a run are not made again as long as nothing changed of what they are made of. So that no
page stays that should have changed, they are given nothing of other runs, and whatever they are
given is in the digest.
"""

import marshal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from grader.data import folder
from grader.model import Dispute, Entry, Graded, Results, Score, Stored
from grader.site.newest import latest_of
from grader.site.sheets import Contest, Sheet, valued

_USED = ("jinja2", "markdown-it-py", "markupsafe", "numpy")


@dataclass(frozen=True)
class Lone:
    """A run, its phase and task without any other run.

    What its pages see is made when they are: most runs have a key alone, since they stay.

    task  the task without any run, of its phases that of the run, without what stands beside it
    told  a digest of that, and of what makes pages
    """

    task: Contest
    entry: Entry
    scores: Mapping[tuple[str, str], Score]
    disputes: tuple[Dispute, ...]
    told: str

    @cached_property
    def on(self) -> Sheet:
        """Its phase."""
        (bare,) = self.task.sheets
        results = replace(bare.results, entries=(self.entry,), disputes=self.disputes)
        scores = {self.entry.slug: self.scores}
        seen = valued(scores.values(), bare.parts)
        return replace(bare, results=results, scores=scores, valued=seen)

    @cached_property
    def contest(self) -> Contest:
        """Its task, as of ``last``: pages that told when they are made would be others then."""
        first = self.on if self.task.now is self.task.sheets[0] else self.task.now
        return replace(self.task, sheets=(self.on,), now=first, at=self.last)

    @property
    def last(self) -> datetime:
        """The last instant at which anything of it came about."""
        return latest_of(self.on, self.entry)

    @property
    def key(self) -> str:
        """A digest of all that its pages are made of, and of what prints them.

        It is sealed, since some of that is told to no reader: see ``_said``.
        """
        results = self.task.sheets[0].results
        said = _said(self.entry, self.disputes, counted=results.counted)
        return _digest(results.seal, self.told, *said)


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
            yield Lone(task, entry, on.scores[entry.slug], own, told)


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


def _said(entry: Entry, disputes: Sequence[Dispute], *, counted: bool) -> Iterator[bytes]:
    """Yield all that there is of a run; its scores by themselves, which are most of it.

    Of scores as they are stored, and of an analysis that is not read, there is which these are,
    which hangs on when the run came, and what the gate does to the analysis.

    counted  whether pages show how many answers are right
    """
    graded: Graded | None = entry.graded
    if graded is None:
        yield _text((entry, disputes))
        return
    right = graded.right if counted else 0
    rest = replace(graded, scores=(), right=right, analysed=None, view=None)
    yield _text((replace(entry, graded=rest), graded.analysed, disputes))
    if isinstance(graded.scores, Stored):
        yield graded.scores.source.encode()
        return
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
