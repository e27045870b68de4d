"""Frozen results as pages and a file show them: with the names of today, and nothing else new."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from grader.board import printed
from grader.measures import find, within
from grader.model import (
    Erratum,
    Flag,
    FrozenBoard,
    FrozenRow,
    FrozenRun,
    Measure,
    Named,
    Release,
    Score,
)
from grader.signature import signature
from grader.site.addresses import phases as slugs
from grader.site.cells import Cell, cells, joined
from grader.site.sheets import Contest
from grader.site.tables import Said, said_of


@dataclass(frozen=True, slots=True)
class Official:
    """A release and the address of its page."""

    release: Release
    address: str


@dataclass(frozen=True, slots=True)
class Place:
    """A run's row: ``n`` instances were scored, None of one that has no score."""

    rank: int | None
    named: Named
    why: str
    flags: Mapping[Flag, str]
    cells: tuple[Cell, ...]
    n: int | None


@dataclass(frozen=True, slots=True)
class Printed:
    """A frozen board as printed, under the columns ``measures``."""

    board: FrozenBoard
    measures: tuple[Measure, ...]
    places: tuple[Place, ...]
    said: tuple[Said, ...]


def official(contest: Contest) -> tuple[Official, ...]:
    """The frozen results of a task, the oldest first."""
    found = contest.now.results.releases
    each = zip(found, slugs([release.name for release in found]), strict=True)
    return tuple(Official(release, address) for release, address in each)


def wholes(release: Release) -> tuple[Printed, ...]:
    """The whole boards of a release, the newest phase first, runs of no phase last."""
    boards = [board for board in reversed(release.frozen.boards) if board.subset == "all"]
    newest = sorted(boards, key=lambda board: not board.phase)
    return tuple(_printed(release, board) for board in newest)


def of_subsets(release: Release, phase: str) -> tuple[Printed, ...]:
    """The boards of the subsets of a phase that tell something."""
    boards = (b for b in release.frozen.boards if b.subset != "all" and b.phase == phase)
    return tuple(_printed(release, board) for board in boards if _tells(board))


def _tells(board: FrozenBoard) -> bool:
    return any(score.value is not None for row in board.rows for score in row.scores)


def _printed(release: Release, board: FrozenBoard) -> Printed:
    lead = find(release.frozen.primary)
    first = lead.key if board.subset == "all" else within(lead).key
    scored = {s.measure: None for row in board.rows for s in row.scores}
    keys = sorted(scored, key=lambda key: key != first)  # what ranks stands first
    runs = {one.run: one for one in release.frozen.runs}
    places = tuple(_place(release, row, keys, runs[row.run], board.digits) for row in board.rows)
    measures = tuple(find(key) for key in keys)
    said = said_of((m, joined([p.cells[i] for p in places])) for i, m in enumerate(measures))
    return Printed(board, measures, places, said)


def _place(
    release: Release, row: FrozenRow, keys: list[str], run: FrozenRun, digits: int
) -> Place:
    scores = {score.measure: score for score in row.scores}
    made = tuple(cells([scores.get(key) for key in keys], digits))
    n = max((score.n for score in row.scores), default=None)
    return Place(row.rank, release.names[row.run], row.why, run.flags, made, n)


def title(release: Release) -> str:
    """The title of the measure that ranks."""
    return find(release.frozen.primary).title


def errata(release: Release) -> tuple[tuple[Erratum, Named | None], ...]:
    """What happened since, each with the run that it happened to."""
    runs = {named.slug: named for named in release.names.values()}
    return tuple((one, runs.get(one.run)) for one in release.errata)


def signatures(release: Release) -> str:
    """A line for each run and score of the whole boards, as a paper may quote it."""
    runs = {one.run: one for one in release.frozen.runs}
    return "\n".join(
        f"{release.names[row.run].slug} {signature(score, runs[row.run].settings)}"
        for board in release.frozen.boards
        if board.subset == "all"
        for row in board.rows
        for score in row.scores[:1]
    )


def as_json(slug: str, release: Release) -> Markup:
    """A release as a file: the same bytes for ever, as long as no team has another name."""
    frozen = release.frozen
    runs = {one.run: one for one in frozen.runs}
    told = {
        "task": slug,
        "title": frozen.title,
        "release": release.name,
        "at": release.at.isoformat(),
        "why": release.why,
        "primary": frozen.primary,
        "gold": {
            "version": frozen.gold.version,
            "commitment": frozen.gold.commitment,
            "n": frozen.gold.n,
            "scored": frozen.gold.scored,
            "dropped": [
                {"id": d.id, "reason": d.reason, "post_hoc": d.post_hoc} for d in frozen.gold.drops
            ],
        },
        "runs": [_run(runs[run], named) for run, named in release.names.items()],
        "boards": [_board(release, board) for board in frozen.boards],
    }
    text = json.dumps(told, indent=1, ensure_ascii=True, allow_nan=False)
    return Markup(text + "\n")  # noqa: S704, a file of JSON is no HTML


def _run(run: FrozenRun, named: Named) -> dict[str, Any]:
    return {
        "run": named.slug,
        "team": named.team,
        "name": named.name,
        "phase": run.phase or None,
        "sha256": run.sha256,
        "received": run.received.isoformat(),
        "flags": dict(run.flags),
        "signature": f"KEY|version:VERSION|{run.settings}",
    }


def _board(release: Release, board: FrozenBoard) -> dict[str, Any]:
    return {
        "phase": board.phase or None,
        "subset": board.subset,
        "rule": board.rule,
        "digits": board.digits,
        "scored": board.scored,
        "rows": [
            {
                "rank": row.rank,
                "run": release.names[row.run].slug,
                "why": row.why or None,
                "scores": {score.measure: _score(score, board.digits) for score in row.scores},
            }
            for row in board.rows
        ],
    }


def _score(score: Score, digits: int) -> dict[str, Any]:
    return {
        "shown": printed(score, digits),
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "n": score.n,
        "note": score.note or None,
        "version": score.version,
        "details": dict(score.details),
    }
