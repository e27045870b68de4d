"""How runs differ, before and after: their values and ranks on every board."""

from collections.abc import Sequence

import click

from grader.cli._say import say_json, table
from grader.model import Difference, Moved
from grader.plural import counted


def as_json(differences: Sequence[Difference]) -> list[dict[str, object]]:
    """Each run's primary value and rank on the whole board, and under ``boards`` on subsets."""
    return [
        {
            "run": d.run,
            "team": d.team,
            "name": d.name,
            "phase": d.phase or None,
            **_moved(d.whole),
            "changed": d.changed,
            "boards": [{"board": m.board, **_moved(m)} for m in d.subsets],
        }
        for d in differences
    ]


def _moved(moved: Moved) -> dict[str, object]:
    return {
        "before": moved.before,
        "after": moved.after,
        "may_before": moved.may_before,
        "may_after": moved.may_after,
        "rank_before": moved.rank_before,
        "rank_after": moved.rank_after,
    }


def say(differences: Sequence[Difference], form: str) -> None:
    """Print how many runs were scored again, and how those changed that did."""
    if form == "json":
        say_json(as_json(differences))
        return
    changed = [d for d in differences if d.changed or d.whole.changed]
    click.echo(f"{counted(len(differences), 'run')} scored again, {len(changed)} changed")
    show(changed)


def show(changed: Sequence[Difference]) -> None:
    """Print each run's value and rank on the whole board, and which boards of subsets moved."""
    if not changed:
        return
    phase = ["phase"] if any(d.phase for d in changed) else []
    rows = [
        [
            d.run,
            d.name,
            *([d.phase] if phase else []),
            _value(d.whole.before, d.whole.may_before),
            _value(d.whole.after, d.whole.may_after),
            rank(d.whole),
            d.changed,
        ]
        for d in changed
    ]
    table("", ["run", "name", *phase, "before", "after", "rank", "values changed"], rows)
    boards = dict.fromkeys(m.board for d in changed for m in d.subsets if m.changed)
    for board in boards:
        moved = [m for d in changed for m in d.subsets if m.board == board and m.changed]
        others = sum(m.rank_before != m.rank_after for m in moved)
        ranks = f", {others} to another rank" if others else ""
        click.echo(f"{board}: {counted(len(moved), 'run')} changed{ranks}")


def rank(moved: Moved) -> str:
    """A rank, or how it changed.

    >>> rank(Moved("all", 0.5, 0.6, 2, 1)), rank(Moved("all", 0.5, 0.6, None, None))
    ('2 → 1', '–')
    """
    before, after = (str(r or "–") for r in (moved.rank_before, moved.rank_after))
    return before if before == after else f"{before} → {after}"


def _value(value: float | None, may: tuple[float, float] | None) -> str:
    if value is None:
        return "–" if may is None else f"{may[0]:.6f} to {may[1]:.6f}"
    return f"{value:.6f}"
