"""grader conformal: by how much to widen intervals so that they cover as often as they should."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, FOLDER, output


@click.command("conformal")
@click.argument("calibration", type=FILE)
@click.option("--alpha", required=True, metavar="A", help="0.1 asks for a coverage of 0.9.")
@click.option("--by", default="", metavar="COLUMN", help="Equalise over the groups of a column.")
@click.option("--bins", type=click.IntRange(1), help="Cut that column into at most so many bins.")
@click.option(
    "--min-bin",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Lines that a bin has at least.",
)
@click.option("--apply", "run", type=FILE, help="A run to widen; it has the column of --by.")
@click.option("--out", type=FOLDER, metavar="FILE", help="Where to write the widened run.")
@output
def command(calibration: Path, alpha: str, form: str, **given: Any) -> None:
    """Say by how much to widen the intervals of each group, from a CALIBRATION split.

    Its columns are lower, upper and answer (the gold value), or score (how far outside). With
    --bins the column of --by holds numbers. In the run that --apply names, lines of a group that
    CALIBRATION never saw get an infinite interval, and are told.

    \b
        grader conformal split.csv --alpha 0.1 --by region --apply run.csv --out wider.csv
    """
    import numpy as np

    from grader.conformal import edges, equalised, raised, scores
    from grader.errors import Mistake

    by, run, out = given["by"], given["run"], given["out"]
    if given["bins"] and not by:
        raise Mistake("--bins cuts the column that --by names, and there is no --by")
    if (run is None) != (out is None):
        raise Mistake("--apply and --out go together")
    miss, raws = _alpha(alpha), _read(calibration)
    if any("score" in raw.fields for raw in raws):
        found = _numbers(calibration, raws, "score")
    else:
        low, high, gold = (_numbers(calibration, raws, c) for c in ("lower", "upper", "answer"))
        _sound(calibration, raws, (low > high) | ~np.isfinite(gold))
        found = scores(low, high, gold)
    cuts = None
    if given["bins"]:
        cuts = edges(_numbers(calibration, raws, by), given["bins"], given["min_bin"])
    exact = equalised(found, _groups(calibration, raws, by, cuts), miss)
    by_group = {group: (n, raised(most)) for group, (n, most) in exact.items()}
    told = _applied(run, out, lambda raws: _groups(run, raws, by, cuts), by_group) if run else {}
    order = sorted(by_group) if cuts is None else _bins(cuts)
    _say({group: by_group[group] for group in order}, miss, form, told)


def _applied(
    run: Path,
    out: Path,
    groups: Callable[[Sequence[Any]], list[str]],
    by_group: Mapping[str, tuple[int, float]],
) -> dict[str, Any]:
    """Write the widened run; return the lines of each unseen group, and columns left out."""
    from collections import Counter

    import numpy as np

    raws = _read(run)
    mine = groups(raws)
    wider = np.array([by_group.get(group, (0, np.inf))[1] for group in mine])
    left_out = _write(run, raws, wider, out)
    unseen = Counter(group for group in mine if group not in by_group)
    return {"written": len(raws), "unseen": dict(unseen), "left_out": left_out}


def _sound(file: Path, raws: Sequence[Any], wrong: Any) -> None:
    from grader.errors import Mistake

    if wrong.any():
        line = raws[int(wrong.argmax())].line
        raise Mistake(f"{file}:{line}: lower is above upper, or the answer is no finite number")


def _alpha(text: str) -> Fraction:
    from grader.errors import Mistake
    from grader.judge import number

    value = number(text)
    if value is None or not 0 < value < 1:
        raise Mistake(f"--alpha is {text!r}, and no number between 0 and 1")
    return Fraction(value)


def _read(file: Path) -> list[Any]:
    """The records of a file, or every problem of reading it as a Mistake."""
    from grader.errors import Mistake
    from grader.formats import read
    from grader.model import Problem
    from grader.tasks import contents

    records = list(read(contents(file)))
    said = [f"  line {r.line or 1}: {r.message}" for r in records if isinstance(r, Problem)]
    if said or not records:
        raise Mistake(f"{file} cannot be read", *(said[:10] or ["  it has no rows"]))
    return records


def _texts(file: Path, raws: Sequence[Any], column: str) -> list[str]:
    from grader.errors import Mistake

    found = [raw.fields.get(column) for raw in raws]
    if not any(column in raw.fields for raw in raws):
        there = ", ".join(dict.fromkeys(name for raw in raws for name in raw.fields))
        raise Mistake(f"{file} has no column {column!r}: add it; there are {there[:200]}")
    for raw, cell in zip(raws, found, strict=True):
        if not isinstance(cell, str):
            raise Mistake(f"{file}:{raw.line}: no text or number {column!r}")
    return [str(cell).strip() for cell in found]


def _numbers(file: Path, raws: Sequence[Any], column: str) -> Any:
    """A column as numbers, shape (n,); infinite ones are inf or -inf."""
    import numpy as np

    from grader.check.bounds import end
    from grader.errors import Mistake

    cells = _texts(file, raws, column)
    found = [end(cell) for cell in cells]
    if None in found:
        at = found.index(None)
        raise Mistake(f"{file}:{raws[at].line}: {column!r} is {cells[at][:40]!r}, and no number")
    return np.array(found, dtype=np.float64)


def _groups(file: Path, raws: Sequence[Any], by: str, cuts: tuple[float, ...] | None) -> list[str]:
    """The group of each record: all, its text, or the bin of its number."""
    from grader.conformal import binned

    if not by:
        return ["all"] * len(raws)
    if cuts is None:
        return _texts(file, raws, by)
    names = _bins(cuts)
    return [names[b] for b in binned(_numbers(file, raws, by), cuts)]


def _bins(cuts: tuple[float, ...]) -> list[str]:
    """What the bins between these edges are called, in order."""
    from itertools import pairwise

    ends = ("-inf", *map(repr, cuts), "inf")
    return [f"({low}, {high}]" for low, high in pairwise(ends)]


def _write(run: Path, raws: Sequence[Any], by: Any, out: Path) -> list[str]:
    """Write the run anew as CSV, its ends moved and every other text as it was.

    Columns that hold a list or an object have no place in CSV; return their names.
    """
    import csv
    from io import StringIO

    from grader.cli._files import write
    from grader.conformal import widened

    names = list(dict.fromkeys(name for raw in raws for name in raw.fields))
    low, high = widened(_numbers(run, raws, "lower"), _numbers(run, raws, "upper"), by)
    texts = {name: [_flat(raw.fields.get(name)) for raw in raws] for name in names}
    left_out = [name for name, cells in texts.items() if None in cells]
    kept: dict[str, Any] = {name: texts[name] for name in names if name not in left_out}
    kept |= {"lower": list(map(repr, low.tolist())), "upper": list(map(repr, high.tolist()))}
    lines = StringIO()
    csv.writer(lines, lineterminator="\n").writerows([[*kept], *zip(*kept.values(), strict=True)])
    write(out, lines.getvalue().encode())
    return left_out


def _flat(cell: Any) -> str | None:
    """A cell as CSV has it, empty where there is none; None for a list or an object."""
    if isinstance(cell, str):
        return cell.strip()
    return "" if cell is None or cell.kind == "null" else None


def _say(
    by_group: Mapping[str, tuple[int, float]], miss: Fraction, form: str, told: Mapping[str, Any]
) -> None:
    from math import isinf

    from grader.cli._say import say_json, table
    from grader.conformal import place

    few = "infinite: too few lines for a finite one"
    rows = [(group, n, place(n, miss), by) for group, (n, by) in by_group.items()]
    if form == "json":
        answer = [
            {"group": g, "n": n, "k": k, "quantile": None if isinf(by) else by}
            | {"note": few if by > 0 and isinf(by) else None}
            for g, n, k, by in rows
        ]
        say_json({"alpha": str(miss), "groups": answer, **told})
        return
    shown = [(g, n, k, "∞" if isinf(by) and by > 0 else repr(by)) for g, n, k, by in rows]
    table("", ["group", "n", "k", "widen by"], shown)
    _notes(told)


def _notes(told: Mapping[str, Any]) -> None:
    from grader.cli._say import printable
    from grader.plural import counted

    if told:
        click.echo(f"{counted(told['written'], 'line')} written")
    for group, n in told.get("unseen", {}).items():
        said = counted(n, "line", "is", "are")
        why = "which calibration never saw: only an infinite interval keeps the promise"
        click.echo(printable(f"note: {said} of the group {group!r}, {why}"))
    for name in told.get("left_out", ()):
        click.echo(printable(f"note: the column {name!r} is left out: it holds lists or objects"))
