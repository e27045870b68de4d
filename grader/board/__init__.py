"""Who may see what, and who stands where. Both are pure functions of what is stored."""

from grader.board.blunt import PRINTED
from grader.board.changes import changes
from grader.board.closing import closed
from grader.board.concordance import concordance
from grader.board.differences import common, differences
from grader.board.field import field_of
from grader.board.limits import (
    ALL,
    ALWAYS,
    FEW,
    GUARDED,
    Limits,
    in_use,
    limits_in,
    limits_of,
    over,
    withheld,
)
from grader.board.official import official
from grader.board.opened import early, itemising
from grader.board.phases import current, phased
from grader.board.ranks import boards, rank, unrankable
from grader.board.reveals import Reveal, reveals
from grader.board.rule import ordering, rule
from grader.board.sight import Viewer, seen, told, visible
from grader.board.values import lead, printed, score, shown, shown_each

__all__ = [
    "ALL",
    "ALWAYS",
    "FEW",
    "GUARDED",
    "PRINTED",
    "Limits",
    "Reveal",
    "Viewer",
    "boards",
    "changes",
    "closed",
    "common",
    "concordance",
    "current",
    "differences",
    "early",
    "field_of",
    "in_use",
    "itemising",
    "lead",
    "limits_in",
    "limits_of",
    "official",
    "ordering",
    "over",
    "phased",
    "printed",
    "rank",
    "reveals",
    "rule",
    "score",
    "seen",
    "shown",
    "shown_each",
    "told",
    "unrankable",
    "visible",
    "withheld",
]
