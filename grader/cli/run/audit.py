"""grader run audit: what organisers alone should look at."""

from collections.abc import Sequence
from typing import Any

import click

from grader.cli._options import database, output

COLUMNS = ["run", "and", "because of", "n", "equal errors", "equal confidences", "order"]


@click.command("audit")
@click.argument("task")
@database
@output
def command(task: str, db: str, form: str) -> None:
    """List what is odd about the runs of TASK: for organisers, never published.

    Pairs that say nearly the same, by equal wrong answers (Loevinger's H), equal confidences
    (Cohen's kappa) and their order (Spearman's correlation); confidences of only 0 and 1, or that
    look like another scale; refused files, with what their ids are. A pair is no proof: two teams
    may use the same model.

    \b
        grader run audit digits
    """
    from grader import store
    from grader.audit import alike, odd, read
    from grader.cli._say import say_json

    with store.reading(store.existing(db)) as connection:
        now = store.registered(connection, task)
        scored = (
            (run, upload)
            for run, upload in store.uploads(connection, task)
            if not store.is_held(connection, task, run)
        )
        runs, unread = read(now.task, now.gold, scored)
        refused = store.refused(connection, task)
    pairs = list(alike(runs))
    found = sorted((k for k in pairs if k.why), key=lambda k: not k.across)
    rest = [k for k in pairs if k.across and not k.why]
    strange = [o for run in runs for o in odd(now.task, run)]
    answer = {
        "task": task,
        "runs": len(runs),
        "pairs": len(pairs),
        "near_duplicates": [_kin(k) for k in found],
        "others_across_teams": {"pairs": len(rest), **_highest(rest)},
        "odd": [
            {"run": o.run, "team": o.team, "code": o.code, "message": o.message} for o in strange
        ],
        "unread": [{"run": run, "why": why} for run, why in unread.items()],
        "refused": [_refusal(r) for r in refused],
    }
    say_json(answer) if form == "json" else _text(answer)


def _kin(k: Any) -> dict[str, object]:
    return {
        "runs": [k.a.run, k.b.run],
        "teams": [k.a.team, k.b.team],
        "across_teams": k.across,
        "withdrawn": [s.run for s in (k.a, k.b) if s.withdrawn],
        "why": list(k.why),
        "n": k.n,
        "equal_errors": k.errors,
        "equal_confidences": k.equal,
        "order": k.order,
    }


def _highest(kin: Sequence[Any]) -> dict[str, float | None]:
    """The highest figures of pairs that are not listed: what is usual in this task."""
    return {
        name: max((v for k in kin if (v := getattr(k, key)) is not None), default=None)
        for name, key in (
            ("equal_errors", "errors"),
            ("equal_confidences", "equal"),
            ("order", "order"),
        )
    }


def _refusal(r: Any) -> dict[str, object]:
    return {
        "team": r.team,
        "file": r.filename,
        "sha256": r.sha256,
        "at": r.at.isoformat(),
        "codes": dict(r.codes),
        "remark": r.remark or None,
    }


def _text(found: Any) -> None:
    from grader.cli._say import printable, table
    from grader.plural import counted

    click.echo(f"{counted(found['runs'], 'run')}, {counted(found['pairs'], 'pair')}")
    listed = found["near_duplicates"]
    for across, where in ((True, "across teams"), (False, "within a team")):
        some = [k for k in listed if k["across_teams"] == across]
        click.echo(f"near-duplicates {where}: {len(some) or 'none'}")
        if some:
            table("", COLUMNS, [_row(k) for k in some])
    others = found["others_across_teams"]
    if others["pairs"]:
        said = ", ".join(f"{n} {_shown(others[k])}" for n, k in _FIGURES)
        click.echo(f"highest of the other {counted(others['pairs'], 'pair')} across teams: {said}")
    for o in found["odd"]:
        click.echo(printable(f"{o['run']}: {o['code']}: {o['message']}"))
    for u in found["unread"]:
        click.echo(printable(f"{u['run']} breaks a rule of the task as it is now: {u['why']}"))
    click.echo(f"refused files: {len(found['refused']) or 'none'}")
    if found["refused"]:
        lines = [
            [r["at"], r["team"], r["file"], ", ".join(f"{c} {n}" for c, n in r["codes"].items())]
            for r in found["refused"]
        ]
        table("", ["received", "team", "file", "problems"], lines)
    for r in found["refused"]:
        if r["remark"]:
            click.echo(printable(f"{r['team']}, {r['file']}: {r['remark']}"))


_FIGURES = (
    ("equal errors", "equal_errors"),
    ("equal confidences", "equal_confidences"),
    ("order", "order"),
)


def _row(k: Any) -> list[object]:
    names = [f"{run}{' (withdrawn)' if run in k['withdrawn'] else ''}" for run in k["runs"]]
    return [*names, ", ".join(k["why"]), k["n"], *(_shown(k[key]) for _, key in _FIGURES)]


def _shown(value: float | None) -> str:
    from grader.board import shown

    return shown(value, 3)
