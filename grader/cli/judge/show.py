"""grader judge show: what judges said of an instance."""

from typing import Any

import click

from grader.cli._options import database, output


@click.command("show")
@click.argument("slug")
@click.argument("ids", nargs=-1)
@click.option(
    "--open", "open_", is_flag=True, help="Units alone on which the rule leaves it open."
)
@database
@output
def command(slug: str, ids: tuple[str, ...], db: str, form: str, *, open_: bool) -> None:
    """Show what each judge said of the answers to IDS, or to all, and what holds by the rule.

    For organisers: nothing of it is published before the gold is released. JSON has every
    judgement that was ever made, with its instant and the reason of a change.

    \b
        grader judge show quiz 0004
        grader judge show quiz --open
    """
    from grader import store
    from grader.cli._say import say_json
    from grader.errors import Mistake
    from grader.judging.known import meant
    from grader.judging.resolution import decision, settled, votes_of
    from grader.judging.stored import judged

    with store.reading(store.existing(db)) as connection:
        now = judged(connection, slug)
        every = store.every_judgement(connection, slug)
    for name in ids:
        if name not in now.gold.ids:
            said = f"{name!r} is no id of this task{meant(name, now.gold.ids)}"
            raise Mistake(said, mend=f"grader judge show {slug}")
    judging = now.task.judging
    holds = {u: decision(judging, votes) for u, votes in votes_of(judging, every).items()}
    place = {name: i for i, name in enumerate(now.gold.ids)}
    counts = dict(zip(now.gold.ids, now.gold.scored.tolist(), strict=True))
    opened = {u for u, word in holds.items() if counts[u.id] and not settled(word)}
    units = sorted(
        (u for u in (opened if open_ else holds) if not ids or u.id in ids),
        key=lambda u: (place[u.id], u.answer, u.run),
    )
    each: dict[Any, list[Any]] = {}
    for one in every:
        each.setdefault(one.unit, []).append(one)
    rows = [_unit(u, holds[u], each[u]) for u in units]
    say_json(rows) if form == "json" else _text(rows, apart=judging.unit == "run")


def _unit(unit: Any, holds: str | None, said: list[Any]) -> dict[str, Any]:
    return {
        "id": unit.id,
        "answer": unit.answer,
        "run_sha256": unit.run or None,
        "holds": holds,
        "judgements": [
            {
                "judge": one.judge,
                "label": one.label,
                "at": one.at.isoformat(),
                "why": one.why or None,
                "columns": dict(one.columns),
            }
            for one in said
        ],
    }


def _text(rows: list[dict[str, Any]], *, apart: bool) -> None:
    from grader.cli._say import table

    lines = []
    for row in rows:
        last = {one["judge"]: one["label"] for one in row["judgements"]}
        said = ", ".join(f"{judge}: {label}" for judge, label in last.items())
        run = [row["run_sha256"][:12]] if apart else []
        lines.append([row["id"], row["answer"], *run, row["holds"] or "open", said])
    columns = ["id", "answer", *(["run's sha256"] if apart else []), "holds", "said"]
    table("", columns, lines)
