"""A family of paired differences as rows of a table."""

from grader.model import Versus
from grader.tabular.sheet import Cell, Column, told

_P = 4  # decimals of a p
# What stands beside the two runs of a pair and their difference.
PAIR = (
    Column("low", "the lower end of its 95% interval, which holds for all pairs", "number"),
    Column("high", "its upper end", "number"),
    Column("p", "adjusted for all pairs (bootstrap max-|t|; of many runs a bound)", "number"),
    Column("apart", "yes if the interval excludes 0"),
    Column("reason", "why the two are not compared, or have no interval"),
)


def pair_rows(versus: Versus, digits: int, *before: Cell) -> tuple[tuple[Cell, ...], ...]:
    """A row for each pair: what stands ``before``, the two runs, their difference, and PAIR."""
    found = versus.comparison
    rows: list[tuple[Cell, ...]] = []
    for pair in found.pairs if found else ():
        numbers = (told(x, digits) for x in (pair.difference, pair.low, pair.high))
        names = (versus.slugs[pair.a], versus.slugs[pair.b])
        why = found.why(pair, versus.slugs) if found else ""
        apart = "" if pair.low is None else "yes" if pair.told_apart else "no"
        rows.append((*before, *names, *numbers, told(pair.p, _P), apart, why))
    return tuple(rows)
