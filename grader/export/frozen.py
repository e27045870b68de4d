"""Official results that were frozen, beside what the runs stand at now, and their errata."""

from collections.abc import Iterator, Mapping

from grader.board import lead, printed, rank, score
from grader.instants import said
from grader.model import (
    FrozenBoard,
    FrozenRow,
    FrozenRun,
    Overview,
    Release,
    Results,
    Row,
    Score,
)
from grader.signature import signature
from grader.tabular.sheet import Cell, Column, Table, Told, told

_RELEASES = (
    Column("release", "under which name results were frozen", "key"),
    Column("frozen", "and when"),
    Column("gold", "the version of the gold that they stand on"),
    Column("runs", "on its board", "number"),
    Column("errata", "what happened since", "number"),
    Column("reason", "why they were frozen"),
    Column("commitment", "of that gold"),
)
_FROZEN = (
    Column("release", "under which name they were frozen", "key"),
    Column("run", "its slug as it is now", "key"),
    Column("frozen_rank", "empty if it had none", "number"),
    Column("team", "its name as it is now"),
    Column("name", "what the team calls it"),
    Column("frozen_value", "of the primary", "number"),
    Column("frozen_low", "the lower end of its 95% interval", "number"),
    Column("frozen_high", "its upper end", "number"),
    Column("unranked", "why it had no rank"),
    Column("rank_now", "under the newest gold; empty if it has none", "number"),
    Column("value_now", "its value; empty where undefined, or if it was withdrawn", "number"),
)
_SCORES = (
    Column("release", "under which name they were frozen", "key"),
    Column("run", "its slug as it is now", "key"),
    Column("subset", "all, or dimension=value", "key"),
    Column("measure", "its key", "key"),
    Column("n", "instances that it is of", "number"),
    Column("value", "frozen, at the decimals of that board", "number"),
    Column("low", "the lower end of the 95% interval", "number"),
    Column("high", "its upper end", "number"),
    Column("note", "the convention that decided it, or why it is undefined"),
    Column("signature", "what the number depends on: quote it"),
)
_ERRATA = (
    Column("release", "of which frozen results", "key"),
    Column("when", "it happened"),
    Column("run", "to which; empty: to the task"),
    Column("what", "happened"),
    Column("reason", "why"),
)


def frozen(found: Overview) -> tuple[Table, ...]:
    """The frozen boards of this phase; nothing if there is none."""
    results = found.results
    phase = results.phase.name if results.phase else ""
    each = tuple(r for r in results.releases if any(b.rows for b in _boards(r, phase)))
    if not each:
        return ()
    return _releases(each, phase), _ranks(found, each, phase), _scores(each, phase), _errata(each)


def _boards(release: Release, phase: str) -> Iterator[FrozenBoard]:
    """Yield the boards of a phase, the whole one first."""
    yield from (board for board in release.frozen.boards if board.phase == phase)


def _releases(each: tuple[Release, ...], phase: str) -> Table:
    rows = tuple(
        (
            one.name,
            said(one.at),
            f"v{one.frozen.gold.version}",
            len(next(_boards(one, phase)).rows),
            len(one.errata),
            one.why,
            one.frozen.gold.commitment,
        )
        for one in each
    )
    shown = {"release": "l", "frozen": "l", "gold": "l", "runs": "r", "errata": "r"}
    shown |= {"reason": "p{6cm}"}
    return Table("releases", "Frozen official results", _RELEASES, rows, shown)


def _ranks(found: Overview, each: tuple[Release, ...], phase: str) -> Table:
    now = {row.entry.slug: row for row in rank(found.results).rows}
    rows = tuple(
        _rank(release, row, board, now, found.results)
        for release in each
        for board in _boards(release, phase)
        if board.subset == "all"
        for row in board.rows
    )
    shown = {c.name: "r" for c in _FROZEN} | dict.fromkeys(("release", "run", "team", "name"), "l")
    shown |= {"unranked": "p{3cm}"}
    return Table("frozen", "Frozen boards, and their runs now", _FROZEN, rows, shown)


def _rank(
    release: Release,
    row: FrozenRow,
    board: FrozenBoard,
    now: Mapping[str, Row],
    results: Results,
) -> tuple[Cell, ...]:
    named, found = release.names[row.run], _of(row, release.frozen.primary)
    after = now.get(named.slug)
    kept = after is not None and "withdrawn" not in after.entry.flags
    value = score(after.entry, lead(results).key) if after and kept else None
    return (
        release.name,
        named.slug,
        row.rank,
        named.team,
        named.name,
        Told(found.value if found else None, printed(found, board.digits)),
        *(told(end, board.digits) for end in ((found.low, found.high) if found else (None, None))),
        row.why,
        after.rank if after else None,
        Told(value.value if value else None, printed(value, results.task.ranking.digits)),
    )


def _of(row: FrozenRow, measure: str) -> Score | None:
    return next((s for s in row.scores if s.measure == measure), None)


def _scores(each: tuple[Release, ...], phase: str) -> Table:
    """Those on the whole first, which LaTeX has."""
    found: list[tuple[bool, tuple[Cell, ...]]] = []
    for release in each:
        runs = {one.run: one for one in release.frozen.runs}
        for board in _boards(release, phase):
            for row in board.rows:
                found += [
                    (board.subset != "all", _score(release, runs[row.run], board, one))
                    for one in row.scores
                ]
    found.sort(key=lambda pair: pair[0])
    whole = sum(not part for part, _ in found)
    shown = {"release": "l", "run": "l", "measure": "l", "n": "r", "value": "r", "low": "r"}
    shown |= {"high": "r", "note": "p{5cm}"}
    rows = tuple(row for _, row in found)
    return Table("frozen_scores", "Frozen scores", _SCORES, rows, shown, whole)


def _score(release: Release, run: FrozenRun, board: FrozenBoard, one: Score) -> tuple[Cell, ...]:
    return (
        release.name,
        release.names[run.run].slug,
        board.subset,
        one.measure,
        one.n,
        Told(one.value, printed(one, board.digits)),
        told(one.low, board.digits),
        told(one.high, board.digits),
        one.note,
        signature(one, run.settings),
    )


def _errata(each: tuple[Release, ...]) -> Table:
    rows = tuple(
        (release.name, said(one.at), one.run, one.what, one.why)
        for release in each
        for one in release.errata
    )
    shown = {"release": "l", "when": "l", "run": "l", "what": "p{8cm}", "reason": "p{8cm}"}
    return Table("errata", "Errata of frozen results", _ERRATA, rows, shown)
