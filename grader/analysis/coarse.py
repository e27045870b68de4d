"""The part of an analysis that tells nobody which single answers are right."""

from collections.abc import Sequence
from dataclasses import replace

from grader.analysis.scope import coarse_rows
from grader.analysis.selective import coarse_curve
from grader.model import Analysis, Bin


def coarse(found: Analysis, bins: Sequence[Bin], few: int) -> Analysis:
    """The analysis with nothing that speaks of fewer than ``few`` instances.

    A decomposition goes if one of its subsets is smaller: its counts would tell.

    bins  the reliability diagram that is shown beside it, or its outline
    """
    return replace(
        found,
        poolings=tuple(p for p in found.poolings if p.smallest >= few),
        selective=coarse_curve(found.selective, bins, few),
        scope=found.scope and replace(found.scope, rows=coarse_rows(found.scope.rows, few)),
    )
