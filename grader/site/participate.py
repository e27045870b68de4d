"""How to take part in a task: what a run looks like, made up, and what is said of a wrong one."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.board import ordering
from grader.check import check, records
from grader.measures import find
from grader.model import Gold, Measure, Phase, Rejected, Task
from grader.report import report
from grader.rulebook import codes, of_phase
from grader.samples import Sample, samples
from grader.tasks.names import joined

_N = 3  # instances of an example
_IN_TABLE = ("opens", "closes", "quota", "scores", "late runs", "counts")  # of the phases


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a run, what stands in it, and whether a line may leave it blank."""

    name: str
    about: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Guide:
    """How to take part in a task.

    ``columns`` are those of tables; empty if the task takes none. ``wrong`` is what is said of
    the first sample if its last line is there twice; empty if that is no table.
    """

    columns: tuple[Column, ...]
    samples: tuple[Sample, ...]
    wrong: str
    ranking: str
    measures: tuple[Measure, ...]
    codes: tuple[tuple[str, dict[str, str]], ...]


def guide(task: Task) -> Guide:
    """The guide of a task. It hangs on what the task declares, on no instance and on no run."""
    gold = _made_up(task)
    made = tuple(samples(task, gold))
    return Guide(
        _columns(task) if any(sample.format.table for sample in made) else (),
        made,
        _wrong(task, gold, made[0]) if made and made[0].format.table else "",
        ordering(task, find(task.primary)),
        tuple(find(key) for key in task.keys),
        tuple(codes(task)),
    )


def further(phase: Phase) -> Mapping[str, str]:
    """The rules of a phase that its line in the table of phases does not say."""
    return {name: said for name, said in of_phase(phase).items() if name not in _IN_TABLE}


def _made_up(task: Task) -> Gold:
    """Ids of no task; what is right is not known."""
    more = [f"{'abc'[k % 3]}" for k in range(1, len(task.gold.id))]
    ids = tuple(joined([f"q{i + 1}", *more]) for i in range(_N))
    return Gold(ids, ((),) * _N)


def _wrong(task: Task, gold: Gold, sample: Sample) -> str:
    twice = sample.text + sample.text.splitlines(keepends=True)[-1]
    found = check(records(twice.encode(), task, gold), task, gold)
    return "\n".join(report(sample.file, found)) if isinstance(found, Rejected) else ""


def _columns(task: Task) -> tuple[Column, ...]:
    run, whole = task.run, len(task.run.id) == 1
    found = [
        Column(name, "the instance" if whole else f"the instance: part {i} of its id")
        for i, name in enumerate(run.id, 1)
    ]
    if task.kind == "interval":
        found.append(Column(run.lower, "the lower end of the interval, or -inf"))
        found.append(Column(run.upper, "the upper end, or inf"))
        return (*found, Column(run.answer, "a point in it", optional=True))
    scale = "from 0 to 100" if task.confidence == "percent" else "from 0 to 1"
    found.append(Column(run.answer, "the run's answer", optional=bool(run.classes)))
    sure = f"how sure the run is of it, {scale}"
    found.append(Column(run.confidence, sure, optional=bool(run.classes)))
    return (
        *found,
        *(Column(c, f"the probability of {x}, {scale}") for x, c in run.classes.items()),
    )
