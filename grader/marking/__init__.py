"""What is done to a stored run, to a phase, in a dispute or a promise. All is logged.

What organisers decide has a reason; a description and a promise are their team's.
"""

from grader.marking.amending import Amended, amend
from grader.marking.decision import Decision
from grader.marking.disputing import about, answer, dispute
from grader.marking.extending import Close, Extended, extend, notice
from grader.marking.runs import Kind, mark, restore, unmark, withdraw
from grader.marking.teams import describe, promise

__all__ = [
    "Amended",
    "Close",
    "Decision",
    "Extended",
    "Kind",
    "about",
    "amend",
    "answer",
    "describe",
    "dispute",
    "extend",
    "mark",
    "notice",
    "promise",
    "restore",
    "unmark",
    "withdraw",
]
