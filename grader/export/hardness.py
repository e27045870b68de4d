"""How hard instances are, and what hangs on each, as tables."""

from grader.model import Instance, Overview
from grader.tabular.sheet import Cell, Column, Table, told

FIRST = 20  # instances that LaTeX shows: the hardest ones
_DIGITS = 3
_FINE = 5  # decimals of what one instance moves

_INSTANCE = (
    Column("instance", "its id; scored ones alone", "key"),
    Column("runs", "scored on it: not withdrawn, ranked or not", "number"),
    Column("right", "runs that are right", "number"),
    Column("not_judged", "runs whose answer waits for a judge", "number"),
    Column("share", "of runs that are right; empty while answers wait, or of no run", "number"),
    Column("sure_right", "mean confidence of right answers; empty if none is", "number"),
    Column("sure_wrong", "mean confidence of wrong answers; empty if none is", "number"),
    Column("reward", "mean of confidence where right, 1 less it where wrong", "number"),
    Column("moved", "largest change of a run's primary if it were left out, unsigned", "number"),
    Column("moved_run", "of which run"),
    Column("reranked", "ranked runs with another rank if it were left out", "number"),
    Column("shift", "the most ranks that one of them moves", "number"),
)


def hardness(found: Overview) -> tuple[Table, ...]:
    return _instances(found), _influence(found)


def _instances(found: Overview) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.id,
            one.runs,
            one.right,
            one.waiting,
            told(one.share, _DIGITS),
            told(one.sure_right, _DIGITS),
            told(one.sure_wrong, _DIGITS),
            told(one.reward, _DIGITS),
            told(one.moved, _FINE),
            one.by,
            one.reranked,
            one.shift,
        )
        for one in sorted(found.instances, key=_hardest)
    )
    shown = {"instance": "l"} | {c.name: "r" for c in _INSTANCE[1:]} | {"moved_run": "l"}
    title = "Difficulty and influence of instances, the hardest first"
    return Table("instances", title, _INSTANCE, rows, shown, FIRST)


def _hardest(one: Instance) -> tuple[bool, float, str]:
    return one.share is None, one.share or 0.0, one.id


def _influence(found: Overview) -> Table:
    """By how much the primary of each run moves without each instance, in the gold's order."""
    runs = [one for one in found.influences if one.without]
    columns = (_INSTANCE[0], *(Column(one.run, "by how much its primary moves") for one in runs))
    moved = [one.moved for one in runs]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.id, *(told(each[k], _FINE) for each in moved))
        for k, one in enumerate(found.instances)
    )
    return Table("influence", "By how much primaries move without an instance", columns, rows)
