"""What is done to a stored run, to a phase or a promise. All is logged.

What organisers decide has a reason; a description and a promise are their team's.
"""

from grader.marking.decision import Decision
from grader.marking.history import told
from grader.marking.runs import Kind, mark, restore, unmark, withdraw
from grader.marking.teams import describe, promise

__all__ = [
    "Decision",
    "Kind",
    "describe",
    "mark",
    "promise",
    "restore",
    "told",
    "unmark",
    "withdraw",
]
