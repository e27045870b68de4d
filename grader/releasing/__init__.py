"""Results that go out: to teams before the board, and gold that becomes public."""

from grader.releasing.gold import Opening, release
from grader.releasing.parcels import handed, parcels
from grader.releasing.verifying import recomputed

__all__ = [
    "Opening",
    "handed",
    "parcels",
    "recomputed",
    "release",
]
