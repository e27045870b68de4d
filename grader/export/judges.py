"""How far judges agree, and the further numbers that they gave, as tables."""

from grader.export.comparing import PAIR, pair_rows
from grader.model import Results, Witness
from grader.tabular.sheet import Cell, Column, Table, told

_DIGITS = 3
_WHOSE = (
    Column("judges", "whose labels are compared", "key"),
    Column(
        "kind",
        "kappa (Cohen) of each two; alpha (Krippendorff) of all but the chair together, and of "
        "people alone",
        "key",
    ),
)


def judges(results: Results, witness: Witness) -> tuple[Table, ...]:
    digits = results.task.ranking.digits
    return (
        _agreements(witness),
        _labels(witness),
        _columns(witness, digits),
        _compared(witness, digits),
    )


def _agreements(witness: Witness) -> Table:
    columns = (
        *_WHOSE,
        Column("units", "that two of them at least judged", "number"),
        Column("raw", "the share of pairs of judgements that agree", "number"),
        Column("coefficient", "agreement beyond chance", "number"),
        Column("reason", "why there is none"),
    )
    rows = tuple(
        (
            " and ".join(one.judges),
            one.kind,
            one.n,
            told(one.raw, _DIGITS),
            told(one.coefficient, _DIGITS),
            one.why,
        )
        for one in witness.agreements
    )
    shown = {"judges": "l", "kind": "l", "units": "r", "raw": "r", "coefficient": "r"}
    return Table("judges", "Agreement of judges", columns, rows, shown)


def _labels(witness: Witness) -> Table:
    """The agreement as it is, label by label."""
    columns = (
        *_WHOSE,
        Column("label", "as judges give it", "key"),
        Column("said", "how often they gave it to these units", "number"),
        Column(
            "agreement",
            "the share of pairs that agree, of those of which one has the label; empty if none",
            "number",
        ),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (" and ".join(one.judges), one.kind, label, one.said.get(label), told(share, _DIGITS))
        for one in witness.agreements
        for label, share in one.specific.items()
    )
    shown = {"judges": "l", "kind": "l", "label": "l", "said": "r", "agreement": "r"}
    return Table("labels", "Agreement of judges on each label", columns, rows, shown)


def _columns(witness: Witness, digits: int) -> Table:
    columns = (
        Column("column", "a further number that judges gave", "key"),
        Column("run", "its slug", "key"),
        Column("n", "instances that have it", "number"),
        Column("mean", "over these", "number"),
    )
    rows = tuple(
        (one.name, run, mean.n, told(mean.value, digits))
        for one in witness.columns
        for run, mean in one.means.items()
    )
    shown = {"column": "l", "run": "l", "n": "r", "mean": "r"}
    return Table("columns", "Further numbers of judges", columns, rows, shown)


def _compared(witness: Witness, digits: int) -> Table:
    """Every pair of runs by each further number, a family for each."""
    columns = (
        Column("column", "a further number that judges gave", "key"),
        Column("one", "a run", "key"),
        Column("other", "one with a smaller mean", "key"),
        Column("difference", "of the means, one less other, on shared instances", "number"),
        *PAIR,
    )
    rows = tuple(row for one in witness.columns for row in pair_rows(one.versus, digits, one.name))
    shown = {"column": "l", "one": "l", "other": "l", "difference": "r", "low": "r", "high": "r"}
    shown |= {"p": "r", "reason": "p{6cm}"}
    return Table("column_pairs", "Pairs of runs by further numbers", columns, rows, shown)
