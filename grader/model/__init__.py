"""The nouns of the grader.

Frozen, typed, no input or output, nothing imported from the rest of the package.
Every other module is a verb over these.
"""

from grader.model.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
)
from grader.model.results import (
    Board,
    Drop,
    Entry,
    Event,
    GoldSummary,
    Receipt,
    Results,
    Row,
    Snapshot,
    Team,
)
from grader.model.score import (
    Bin,
    Found,
    Graded,
    Judged,
    Measure,
    Parameter,
    Rejected,
    Run,
    Score,
    Undefined,
)
from grader.model.task import (
    Dimension,
    Gold,
    GoldColumns,
    Ranking,
    Resampling,
    RunColumns,
    Standing,
    Status,
    Subsets,
    Task,
)
from grader.model.upload import (
    Flag,
    Notice,
    NotText,
    Problem,
    Raw,
    Upload,
)

__all__ = [
    "Bin",
    "Board",
    "BoolArray",
    "Dimension",
    "Drop",
    "Entry",
    "Event",
    "Flag",
    "FloatArray",
    "Found",
    "Gold",
    "GoldColumns",
    "GoldSummary",
    "Graded",
    "IntArray",
    "Judged",
    "Measure",
    "NotText",
    "Notice",
    "Parameter",
    "Problem",
    "Ranking",
    "Raw",
    "Receipt",
    "Rejected",
    "Resampling",
    "Results",
    "Row",
    "Run",
    "RunColumns",
    "Score",
    "Snapshot",
    "Standing",
    "Status",
    "Subsets",
    "Task",
    "Team",
    "Undefined",
    "Upload",
]
