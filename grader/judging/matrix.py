"""Which runs are right where, as an outside pipeline says it: a plain table."""

from collections.abc import Iterator, Mapping, Sequence

from grader.judging.filled import RUN, unit_of
from grader.judging.known import (
    Brought,
    File,
    Known,
    Said,
    lacking,
    numbers,
    records,
    refuse,
    text,
)
from grader.model import Problem, Raw, Unit
from grader.tasks.names import identity

CORRECT, ID = "correct", "id"
_WORDS: Mapping[str, bool] = {
    **dict.fromkeys(("1", "1.0", "true", "yes"), True),
    **dict.fromkeys(("0", "0.0", "false", "no"), False),
}


def read_matrix(files: Sequence[File], known: Known, columns: Sequence[str]) -> Brought:
    """What a matrix says of units, in the first label of right and of wrong answers.

    Its rows have a run, an id and whether the answer is correct; or an id, and a column for each
    run. A run is known by its address, or by its name or file where that is one run's alone.
    Where answers are judged once for all runs, equal ones must be equally right. Refusals are
    wrong, and nothing is kept of them. Blank cells are left for later, and counted.

    raises  Mistake, naming everything that is wrong, with file and line
    """
    said: dict[Unit, Said] = {}
    problems: list[tuple[str, Problem]] = []
    left = 0
    for file in files:
        wrong: list[Problem] = []
        raws = records(file, wrong)
        found = list(_cells(raws, known, columns)) if not wrong else []
        wrong += (p for p in found if isinstance(p, Problem))
        for cell in (c for c in found if not isinstance(c, Problem)):
            left += _kept(cell, file.name, known, said, wrong)
        wrong.sort(key=lambda p: p.line or 0)
        problems += ((file.name, p) for p in wrong)
    refuse(problems)
    return Brought(said, left)


_Cell = tuple[int, str, str, str, Mapping[str, float]]  # line, id, run, what is said, numbers


def _cells(raws: Sequence[Raw], known: Known, columns: Sequence[str]) -> Iterator[_Cell | Problem]:
    """Yield the cells of either form, or what is wrong with the table."""
    names = dict.fromkeys(n for raw in raws for n in raw.fields)
    gold = known.task.gold.id
    ids = list(gold) if set(gold) <= set(names) else [ID]
    if {RUN, CORRECT} <= set(names):
        yield from lacking(raws, (*ids, *columns))
        for raw in raws if set(ids) <= set(names) else ():
            wrong: list[Problem] = []
            mine = numbers(raw, columns, wrong)
            yield from wrong
            yield raw.line, identity(raw, ids), text(raw, RUN), text(raw, CORRECT), mine
        return
    yield from lacking(raws, ids)
    runs = [n for n in names if n not in ids]
    if columns:
        said = "further numbers need a row for each run and id, with the columns run and correct"
        yield Problem("missing-column", said, 1)
    if not runs:
        yield Problem("missing-column", "there is no column of a run", 1)
    for name in (n for n in runs if n not in known.slugs):
        said = f"the column {name[:40]!r} is no run{known.hint(name, known.slugs.keys)}"
        yield Problem("unknown-run", said, 1)
    for raw in raws if set(ids) <= set(names) else ():
        for run in (n for n in runs if n in known.slugs):
            yield raw.line, identity(raw, ids), run, text(raw, run), {}


def _kept(
    cell: _Cell, file: str, known: Known, said: dict[Unit, Said], wrong: list[Problem]
) -> int:
    """Keep what a cell says; 1 if it says nothing yet."""
    line, name, run, correct, mine = cell
    if not correct:
        return 1
    judging = known.task.judging
    right = correct in judging.right or _WORDS.get(correct.casefold(), False)
    if not right and correct not in judging.wrong and correct.casefold() not in _WORDS:
        what = f"{correct[:40]!r} is neither 1 nor 0, nor a label of this task"
        wrong.append(Problem("not-correctness", what, line, run))
        return 0
    unit = unit_of(known, name, run, line)
    if isinstance(unit, Problem):
        if unit.code != "no-unit" or right:
            wrong.append(unit)
        return 0
    label = (
        correct if correct in judging.labels else (judging.right if right else judging.wrong)[0]
    )
    now = Said(label, mine, file, line)
    first = said.setdefault(unit, now)
    if first.label != now.label:
        where = f"{first.file}:{first.line}"
        what = (
            f"{unit.answer[:40]!r} to {name!r} is {now.label} in {run!r}, and {first.label} at "
            f"{where}: equal answers are judged once for all runs"
        )
        wrong.append(Problem("two-labels", what, line))
    return 0
