"""What a task says of its runs' files: their format, their names, and what they may cite."""

from collections import Counter
from collections.abc import Iterator

from grader.formats import FORMATS
from grader.model import Task
from grader.tasks.filenames import malformed
from grader.tasks.names import controls

KEYS = {
    "run.format": '"csv", "tsv", "jsonl", "ac", "shroom", "flat" or "forecasts"; default any, '
    "recognised by content",
    "run.event": "a label: the one whose probability flat and forecasts files give; default the "
    "first of labels",
    "run.sources": 'a table: known run = ["other name", …], the runs that nuggets of AC files may '
    "cite; default any",
    "run.names": 'a pattern of file names such as "[Team]-AC-[1-4]": [Team] is a name of the '
    "team, [1-4] a number from 1 to 4, * anything; default any",
}


def checks(task: Task) -> Iterator[tuple[str, str]]:
    """Yield what keeps runs from being read in the format that is named, or from being named."""
    run = task.run
    if run.format and (why := next(f for f in FORMATS if f.key == run.format).suits(task)):
        yield "run.format", f"is {run.format!r}: {why}"
    if run.event and run.event not in task.labels:
        yield "run.event", f"{run.event!r} is not among labels"
    named = (*run.sources, *(name for others in run.sources.values() for name in others))
    if any(not name or name != name.strip() or ";" in name or controls(name) for name in named):
        yield "run.sources", "names a run that is blank, or has outer spaces or a semicolon"
    for name in (name for name, n in Counter(named).items() if n > 1):
        yield "run.sources", f"{name!r} stands for two runs, or twice for one"
    if run.names and (why := malformed(run.names)):
        yield "run.names", why
