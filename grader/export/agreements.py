"""How runs compare, and how their orders agree: pairs, τ and gold versions as tables."""

from grader.board import changes, common, differences, rank
from grader.export.comparing import PAIR, pair_rows
from grader.export.judges import judges
from grader.instants import said
from grader.model import Overview, Results
from grader.plural import counted
from grader.tabular.sheet import Cell, Column, Table, told

PAIRED = 20  # runs of which LaTeX shows all pairs
_TAU = 3


def agreements(found: Overview) -> tuple[Table, ...]:
    results = found.results
    whole = (_pairs(results), _orders(found), _dropped(found), _versions(results), _moves(found))
    return (*whole, *judges(results, results.witness)) if results.witness else whole


def _pairs(results: Results) -> Table:
    """Every pair of ranked runs by the primary, a family of its own."""
    versus, digits = results.versus["all"], results.task.ranking.digits
    columns = (
        Column("one", "a ranked run", "key"),
        Column("other", "one that stands below it", "key"),
        Column("difference", "of the primary, one less other, on shared instances", "number"),
        *PAIR,
    )
    rows = pair_rows(versus, digits)
    of = versus.reason if versus.comparison is None else f"on {counted(versus.n, 'instance')}"
    title = f"Pairs of ranked runs by the primary: {results.task.primary}, {of}"
    shown = {"one": "l", "other": "l", "difference": "r", "low": "r", "high": "r", "p": "r"}
    shown |= {"reason": "p{6cm}"}
    return Table("pairs", title, columns, rows, shown, PAIRED * (PAIRED - 1) // 2)


def _orders(found: Overview) -> Table:
    columns = (
        Column("kind", "measures, judge, judges, version (of the gold) or dropped", "key"),
        Column("one", "one order of the ranked runs", "key"),
        Column("other", "the other", "key"),
        Column("runs", "that both have", "number"),
        Column(
            "tau", "Kendall's tau-b, at the board's decimals; 1 if both say the same", "number"
        ),
        Column("reason", "why there is none"),
    )
    rows = tuple((o.kind, o.one, o.other, o.runs, told(o.tau, _TAU), o.why) for o in found.orders)
    shown = {"kind": "l", "one": "l", "other": "l", "runs": "r", "tau": "r", "reason": "p{6cm}"}
    return Table("orders", "Kendall's τ-b between orders of the ranked runs", columns, rows, shown)


def _dropped(found: Overview) -> Table:
    """Each dropped instance with each ranked run: its rank without it, and with it."""
    results = found.results
    ranks = {row.entry.slug: row.rank for row in rank(results).ranked}
    with_ = {one.id: one.ranks for one in results.dropped}
    columns = (
        Column("instance", "that was dropped", "key"),
        Column("run", "a ranked run; empty where no ranks are known", "key"),
        Column("rank", "on the board, where the instance does not count", "number"),
        Column("rank_with", "if it counted; empty where undefined", "number"),
        Column("reason", "why it was dropped"),
        Column("who", "by whose word"),
        Column("when", "and when"),
        Column("post_hoc", "yes if scores on it had been seen"),
    )
    rows: list[tuple[Cell, ...]] = []
    for drop in results.gold.drops:
        why = (drop.reason, drop.who, said(drop.when), "yes" if drop.post_hoc else "no")
        each = with_.get(drop.id, {}) or {"": None}
        rows += [(drop.id, run, ranks.get(run), new, *why) for run, new in each.items()]
    shown = {"instance": "l", "run": "l", "rank": "r", "rank_with": "r", "reason": "p{5cm}"}
    shown |= {"post_hoc": "l"}
    return Table("dropped", "Dropped instances, and ranks with them", columns, tuple(rows), shown)


def _versions(results: Results) -> Table:
    columns = (
        Column("version", "of the gold", "key"),
        Column("registered", "when it came"),
        Column("scored", "instances that count, in all parts", "number"),
        Column("runs", "that were in by then", "number"),
        Column("reason", "why it was made"),
        Column("who", "by whom"),
        Column("changes", "to the version before it"),
        Column("post_hoc", "yes if scores on what changed had been seen"),
        Column("commitment", "the HMAC that is revealed with the gold"),
    )
    rows = tuple(
        (
            f"v{v.version}",
            said(v.registered),
            v.scored,
            v.runs,
            v.reason,
            v.who,
            "; ".join(changes(v)),
            "yes" if v.post_hoc else "no",
            v.commitment,
        )
        for v in results.versions
    )
    shown = {"version": "l", "registered": "p{3.5cm}", "scored": "r", "reason": "p{4cm}"}
    shown |= {"changes": "p{4cm}", "post_hoc": "l"}
    return Table("versions", "Versions of the gold", columns, rows, shown)


def _moves(found: Overview) -> Table:
    """Each run under each earlier version of the gold, and now: among runs scored under both."""
    results = found.results
    digits = results.task.ranking.digits
    columns = (
        Column("version", "of the gold, an earlier one", "key"),
        Column("run", "scored under both, as the same bytes", "key"),
        Column("before", "its primary then", "number"),
        Column("now", "and under the newest version", "number"),
        Column("rank_before", "its rank then, among these runs", "number"),
        Column("rank", "and now", "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for earlier in results.earlier:
        before, now, _ = common(earlier, results)
        for one in differences(before, now, ("all",)):
            if one.run not in found.counted:
                continue
            moved, version = one.whole, f"v{earlier.gold.version}"
            values = (told(moved.before, digits), told(moved.after, digits))
            rows.append((version, one.run, *values, moved.rank_before, moved.rank_after))
    shown = {"version": "l", "run": "l", "before": "r", "now": "r", "rank_before": "r"}
    shown |= {"rank": "r"}
    return Table("moves", "Runs under earlier versions of the gold", columns, tuple(rows), shown)
