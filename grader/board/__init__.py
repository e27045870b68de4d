"""Who may see what, and who stands where. Both are pure functions of what is stored."""

from grader.board.blunt import FEW
from grader.board.official import official
from grader.board.phases import current, phased
from grader.board.ranks import rank
from grader.board.rule import ordering, rule
from grader.board.sight import Viewer, seen, visible
from grader.board.values import lead, printed, score, shown

__all__ = [
    "FEW",
    "Viewer",
    "current",
    "lead",
    "official",
    "ordering",
    "phased",
    "printed",
    "rank",
    "rule",
    "score",
    "seen",
    "shown",
    "visible",
]
