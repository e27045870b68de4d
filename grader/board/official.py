"""The one run of each team that stands for it in a campaign's results."""

from collections.abc import Mapping

from grader.model import Board, Row


def official(board: Board) -> Mapping[str, Row]:
    """Each team's official run on a board: the ranked one that it named primary, else its best.

    Of several that are primary the one received last counts, as on the board; of equal ones the
    first on the board. A team without a ranked run has its first row that is not withdrawn,
    baselines before others, with the reason why it has no rank. Teams whose runs are all
    withdrawn have none.
    """
    found: dict[str, Row] = {}
    for row in board.ranked:
        now = found.get(row.entry.team)
        if now is None or _named(row) > _named(now):
            found[row.entry.team] = row
    rest = (row for row in board.unranked if "withdrawn" not in row.entry.flags)
    for row in sorted(rest, key=lambda row: "baseline" not in row.entry.flags):
        found.setdefault(row.entry.team, row)
    return found


def _named(row: Row) -> tuple[bool, float]:
    """Whether a team named a run primary, and which of such is the last."""
    primary = "primary" in row.entry.flags
    return primary, row.entry.received.timestamp() if primary else 0.0
