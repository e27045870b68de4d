"""Who took part and what they scored: counts, teams, runs and scores as tables."""

from collections.abc import Iterator

from grader.board import printed, rank
from grader.instants import said
from grader.model import Entry, Overview, Results, Row, Score
from grader.signature import signature
from grader.tabular.sheet import Cell, Column, Table, Told, told

_WITHDRAWN = "withdrawn"


def standings(found: Overview) -> tuple[Table, ...]:
    return _counts(found), _teams(found), _runs(found.results), _scores(found)


def _counts(found: Overview) -> Table:
    results, gold = found.results, found.results.gold
    board, entries = rank(results), results.entries
    counts = {
        "runs": (len(entries), "sent in and accepted"),
        "ranked": (len(board.ranked), "of these with a rank"),
        "withdrawn": (sum(_WITHDRAWN in e.flags for e in entries), "of these taken back"),
        "held": (sum(e.held for e in entries), "of these not scored yet"),
        "teams": (len({e.team for e in entries}), "that sent them"),
        "instances": (gold.n, "of the gold, in all its parts"),
        "scored": (len(found.instances), "of these that count here"),
        "dropped": (len(gold.drops), "of these that were dropped"),
        "gold version": (gold.version, "the newest"),
    }
    columns = (
        Column("what", "what is counted", "key"),
        Column("count", "how many", "number"),
        Column("note", "what that says"),
    )
    rows = tuple((what, many, note) for what, (many, note) in counts.items())
    return Table("counts", "Counts", columns, rows, {"what": "l", "count": "r", "note": "l"})


def _teams(found: Overview) -> Table:
    results = found.results
    ranks = {row.entry.slug: row.rank for row in rank(results).ranked}
    columns = (
        Column("address", "its slug, which no other team is ever given", "key"),
        Column("team", "its name as it is now; of an erased one, what stands in its place"),
        Column("before", "what it was called, and teams merged into it; separated by semicolons"),
        Column("runs", "accepted runs, withdrawn ones too", "number"),
        Column("ranked", "those with a rank", "number"),
        Column("best", "the best rank; empty if there is none", "number"),
    )
    rows = []
    for team in sorted({e.team for e in results.entries}, key=lambda t: (t.casefold(), t)):
        mine = [e.slug for e in results.entries if e.team == team]
        ranked = [ranks[slug] for slug in mine if slug in ranks]
        old = "; ".join(_before(results, team))
        best = min((r for r in ranked if r is not None), default=None)
        address = found.addresses.get(team, "")
        rows.append((address, team, old, len(mine), len(ranked), best))
    shown = {"team": "l", "before": "l", "runs": "r", "ranked": "r", "best": "r"}
    return Table("teams", "Teams", columns, tuple(rows), shown)


def _before(results: Results, team: str) -> list[str]:
    """What a team was called, and teams that are part of it now, the oldest first."""
    known, found = {team}, list[str]()
    for naming in reversed(results.namings):
        if naming.after in known and naming.before not in known:
            known.add(naming.before)
            found.append(naming.before)
    return found[::-1]


def _runs(results: Results) -> Table:
    columns = (
        Column("run", "its slug", "key"),
        Column("rank", "on the board; empty if it has none", "number"),
        Column("team", "whose it is"),
        Column("name", "what the team calls it"),
        Column("received", "when it came in"),
        Column("flags", "what is said of it, with the reasons"),
        Column("unranked", "why it has no rank"),
        Column("answered", "scored instances that it answered", "number"),
        Column("right", "answers that are right, of those judged", "number"),
        Column("abstained", "answers that decline to answer", "number"),
        Column("description", "what its team says of it"),
        Column("links", "that belong to it, separated by semicolons"),
        Column("resources", "that it used, as its team declared, separated by semicolons"),
        Column("sha256", "the digest of its bytes"),
    )
    shown = {"rank": "r", "team": "l", "run": "l", "name": "l", "flags": "p{5cm}"}
    shown |= {"resources": "p{4cm}", "unranked": "p{4cm}"}
    rows = tuple(_run(row) for row in rank(results).rows)
    return Table("runs", "Runs and declared resources", columns, rows, shown)


def _run(row: Row) -> tuple[Cell, ...]:
    entry = row.entry
    graded = None if _WITHDRAWN in entry.flags else entry.graded
    flags = "; ".join(f"{flag}: {why}" if why else flag for flag, why in entry.flags.items())
    return (
        entry.slug,
        row.rank,
        entry.team,
        entry.name,
        said(entry.received),
        flags,
        row.why,
        *((graded.n, graded.right, graded.abstained) if graded else (None, None, None)),
        entry.about.text,
        "; ".join(entry.about.links),
        "; ".join(entry.about.resources),
        entry.sha256,
    )


_SCORE = (
    Column("run", "its slug; withdrawn and held runs have no scores", "key"),
    Column("subset", "all, or dimension=value", "key"),
    Column("measure", "its key", "key"),
    Column("n", "instances that it is of", "number"),
    Column("value", "empty where undefined, or as long as answers wait for a judge", "number"),
    Column("low", "the lower end of the 95% interval", "number"),
    Column("high", "its upper end", "number"),
    Column("no_interval", "why there is none"),
    Column("least", "what it will be at least, once all is judged", "number"),
    Column("most", "what it will be at most", "number"),
    Column("not_judged", "answers that wait for a judge; empty if none does", "number"),
    Column("floor_mean", "of a calibration error: what noise alone gives in the mean", "number"),
    Column("floor_95", "and stays within in 95% of cases", "number"),
    Column("note", "the convention that decided it, or why it is undefined"),
    Column("signature", "what the number depends on: quote it"),
)


def _scores(found: Overview) -> Table:
    """Those on the whole first, which LaTeX has."""
    digits = found.results.task.ranking.digits
    each = [
        (row.entry, one)
        for row in scored(found)
        for one in (row.entry.graded.scores if row.entry.graded else ())
        if one.subset == "all" or "=" in one.subset
    ]
    each.sort(key=lambda pair: pair[1].subset != "all")
    whole = sum(one.subset == "all" for _, one in each)
    rows = tuple(_score(entry, one, digits) for entry, one in each)
    shown = {"run": "l", "measure": "l", "n": "r", "value": "r", "low": "r"}
    shown |= {"high": "r", "floor_95": "r", "no_interval": "p{4cm}", "note": "p{4cm}"}
    return Table("scores", "Scores with 95% intervals and floors", _SCORE, rows, shown, whole)


def _score(entry: Entry, one: Score, digits: int) -> tuple[Cell, ...]:
    ends = one.extremes or (None, None)
    return (
        entry.slug,
        one.subset,
        one.measure,
        one.n,
        Told(one.value, printed(one, digits)),
        told(one.low, digits),
        told(one.high, digits),
        one.no_interval,
        *(told(end, digits) for end in ends),
        one.waiting or None,
        told(one.floor_mean, digits),
        told(one.floor_95, digits),
        one.note,
        signature(one, entry.settings),
    )


def scored(found: Overview) -> Iterator[Row]:
    """Yield the rows of the board whose runs have scores."""
    return (row for row in rank(found.results).rows if row.entry.slug in found.counted)
