"""grader gold list: the versions of a task's gold."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("list")
@click.argument("slug")
@click.option("--dropped", is_flag=True, help="Also the ranks with and without each dropped one.")
@database
@clock
@output
def command(slug: str, *, dropped: bool, db: str, at: datetime, form: str) -> None:
    """List the gold versions of a task: when, by whom and why, and what changed in counts.

    With --dropped also each dropped instance, and which ranks would be others if it counted:
    ranks on the whole board, phase by phase, as organisers see them.

    \b
        grader gold list digits --dropped
    """
    from grader import store
    from grader.cli._say import say_json
    from grader.paired import put_back

    with store.reading(store.existing(db)) as connection:
        store.config(connection, slug)
        versions = store.versions(connection, [slug])[slug]
        back = put_back(connection, slug, at) if dropped else ()
    if form == "json":
        told = {"dropped": [_dropped(results) for results in back]} if dropped else {}
        say_json({"task": slug, "versions": [_answer(v) for v in versions], **told})
        return
    _text(versions)
    for results in back:
        _ranks(results)


def _answer(version: Any) -> dict[str, object]:
    counts = ("labels", "moved", "judged", "unjudged", "added", "removed")
    return {
        "version": version.version,
        "registered": version.registered.isoformat(),
        "who": version.who or None,
        "reason": version.reason,
        "commitment": version.commitment,
        "n": version.n,
        "scored": version.scored,
        "runs_then": version.runs,
        "post_hoc": version.post_hoc,
        "public_saw": [phase or None for phase in version.seen],
        **{name: getattr(version, name) for name in counts},
        "dropped": [drop.id for drop in version.dropped],
        "restored": [drop.id for drop in version.restored],
    }


def _text(versions: Sequence[Any]) -> None:
    from grader.board import changes
    from grader.cli._say import table

    rows = [
        [
            f"v{v.version}",
            f"{v.registered:%Y-%m-%d %H:%M:%S} UTC",
            v.who or "–",
            f"{v.scored} of {v.n}",
            v.runs,
            f"{', '.join(changes(v)) or '–'}{' (post hoc)' if v.post_hoc else ''}",
            v.reason,
        ]
        for v in versions
    ]
    table("", ["gold", "registered", "who", "scored", "runs then", "changed", "why"], rows)


def _dropped(results: Any) -> dict[str, object]:
    now = _now(results)
    return {
        "phase": results.phase.name if results.phase else None,
        "instances": [
            {
                "id": one.id,
                "ranks": [
                    {
                        "run": run,
                        "without": now[run],
                        "with": one.ranks.get(run),
                        "between": one.ranges.get(run),
                    }
                    for run in now
                    if run in one.ranks or run in one.ranges
                ],
            }
            for one in results.dropped
        ],
    }


def _now(results: Any) -> dict[str, int | None]:
    from grader.board import rank

    return {row.entry.slug: row.rank for row in rank(results).rows}


def _ranks(results: Any) -> None:
    from grader.cli._say import printable, table

    now = _now(results)
    drops = {drop.id: drop for drop in results.gold.drops}
    rows = []
    for one in results.dropped:
        drop = drops[one.id]
        late = "post hoc" if drop.post_hoc else "–"
        rows.append([one.id, late, _moved(one, now), drop.reason])
    if results.phase:
        click.echo(printable(f"phase {results.phase.name!r}"))
    if rows:
        table("", ["dropped", "decided", "if it counted", "why"], rows)
    else:
        click.echo("no dropped instance is put back: there is none, or no run is ranked")


def _moved(one: Any, now: dict[str, int | None]) -> str:
    """Which ranks would be others, or, where its answers are not judged, might be."""
    if one.ranks:
        ranks = one.ranks.items()
        moved = [f"{run} {now[run]} → {rank or '–'}" for run, rank in ranks if rank != now[run]]
        return ", ".join(moved) or "the same ranks"
    each = one.ranges.items()
    might = [f"{run} {low} to {high}" for run, (low, high) in each if low != high]
    return f"not judged; might be: {', '.join(might)}" if might else "not judged"
