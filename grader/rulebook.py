"""What a run must be, for people: the site's rules page and the participants' kit say the same.

Everything is Markdown; what people typed stands in code.
"""

import re
from collections.abc import Iterator, Mapping

from grader.board import ordering
from grader.check import MENDS, READING
from grader.formats import FORMATS, Format
from grader.instants import said
from grader.measures import find
from grader.model import Phase, Task
from grader.plural import counted
from grader.report import terms

FILES = """\
A run is one file: a line for each instance, with the instance's id, the run's answer, and its
confidence in that answer. It is text in UTF-8. The order of lines and columns does not matter;
columns that the task does not read are ignored, with a notice. A format is recognised by a file's
content, not by its name. A file may be sent as `.gz`, and one or several as `.zip`; packed or not,
it is the same run."""
CONFIDENCES = """\
A confidence is a plain decimal such as `0.85`, on the scale that the task declares. Ids and
confidences are trimmed of spaces; answers are not. Instead of a confidence a run may give the
probability of every class, in columns called `p:` and the class; the confidence is then the
probability of its answer. Where no answer is given it is the likeliest class: of equal ones the
one that the labels declare first, else by `run.classes`, else by name. A refusal without a
probability needs a confidence of its own. Blank lines are passed over."""
ENDS = """\
In a task of intervals a line gives, instead of a confidence, the two ends of an interval, which
belong to it. An end is a plain number, or `-inf` below and `inf` above where there is none."""
TRY = """\
With the task's kit, as the organisers hand it out, try a file first: `grader check run.csv --task
FOLDER` applies the rules below and names every problem, with its line."""
REFUSED = (
    "All problems of a file are reported at once. A refused run is not stored and counts for "
    "nothing."
)
CODES: Mapping[str, Mapping[str, str]] = {
    "The file cannot be read as it is": READING,
    "The file can be read, and its content breaks a rule": {
        code: mend for code, mend in MENDS.items() if code not in READING
    },
}

# Codes that only some tasks have: of the others they are not spoken of.
_ANSWERS = (
    "too-many-classes",
    "out-of-range",
    "bad-sum",
    "no-probability",
    "two-confidences",
    "blank-answer",
)
_ENDS = ("not-a-bound", "crossed-bounds")


def codes(task: Task) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield for what a run of a task is refused: a title, and the codes that the task can give."""
    gone = set(_ENDS if task.kind == "answers" else _ANSWERS)
    ac = next(f for f in FORMATS if f.key == "ac")
    if ac not in taken(task):
        gone |= {"bad-block", "bad-nugget"}
    if not task.run.sources:
        gone.add("unknown-source")
    if task.missing != "reject":
        gone.add("missing-id")
    for title, mends in CODES.items():
        yield title, {name: mend for name, mend in mends.items() if name not in gone}


def taken(task: Task) -> list[Format]:
    """The formats that a task takes."""
    return [f for f in FORMATS if not f.suits(task) and task.run.format in ("", f.key)]


def code(text: str) -> str:
    """A text as it was typed, in Markdown.

    >>> print(code("a`b"), code("x"))
    `` a`b `` `x`
    """
    plain = " ".join(text.split()) or " "
    if "`" not in plain:
        return f"`{plain}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", plain))))
    return f"{fence} {plain} {fence}"


def of_task(task: Task) -> dict[str, str]:
    """What a task asks of a run, by what each rule is about."""
    run = task.run
    found = {"Columns": _columns(task)}
    if run.format:
        found["Format"] = next(f.name for f in FORMATS if f.key == run.format)
    if run.names:
        found["File names"] = code(run.names)
    if task.kind == "interval":
        found["Intervals"] = f"to cover {task.interval.level:g} of the gold values"
    else:
        scale = {"probability": "from 0 to 1", "percent": "from 0 to 100"}[task.confidence]
        to = "" if task.precision is None else f", rounded to {counted(task.precision, 'decimal')}"
        found["Confidence"] = scale + to
        labels = ", ".join(map(code, task.labels))
        found["Answers"] = _answers(task) + (f": {labels}" if labels else "")
    if task.abstain:
        words = ", ".join(map(code, task.abstain))
        found["Abstaining"] = f"{words}: counts as wrong, and is counted"
    found["Missing"] = {
        "reject": "a run that leaves an instance out is refused",
        "worst": "an instance left out counts as wrong at confidence 1",
        "leave-out": "a run is scored on the instances that it answers; its row shows how many",
    }[task.missing]
    return found


def _columns(task: Task) -> str:
    run = task.run
    ids = f"`{' + '.join(run.id)}` (id)" if "`" not in "".join(run.id) else code(str(run.id))
    parts = [ids, f"{code(run.answer)} (answer)", f"{code(run.confidence)} (confidence)"]
    if task.kind == "interval":
        ends = f"{code(run.lower)} and {code(run.upper)} (ends)"
        parts = [ids, ends, f"{code(run.answer)} (a point, which may be left out)"]
    parts += [f"{code(c)} (probability of {code(x)})" for x, c in run.classes.items()]
    return ", ".join(parts)


def _answers(task: Task) -> str:
    return {
        "exact": "right if equal to an accepted answer, letter for letter",
        "normalised": "right if equal to an accepted answer after both are normalised: NFKC, case "
        "folded, outer spaces off, inner ones single",
        "choice": "one of the labels",
        "numeric": f"numbers, right within the tolerance of {task.tolerance}",
        "judged": "judged by people or models",
    }[task.answers]


def of_phase(phase: Phase) -> dict[str, str]:
    """When a phase takes runs, how many, and who sees what, by what each rule is about."""
    found = {"opens": said(phase.opens), "closes": said(phase.closes), **terms(phase)}
    found["refused files"] = f"{phase.refused} of a team in an hour are answered"
    if phase.late == "unofficial":
        found["quota of late runs"] = "the same, counted by itself"
    if phase.grace:
        found["promises"] = (
            "give the organisers the file's SHA-256 before the close (sha256sum FILE prints it); "
            f"those bytes alone are then in time up to {phase.grace} minutes after the close"
        )
    return found


def rules(task: Task, phases: tuple[Phase, ...]) -> Iterator[str]:
    """Yield the lines of a task's rules, in Markdown."""
    yield from (f"# Rules of {code(task.title)}", "", "## Files", "")
    yield from (FILES, "")
    yield from (f"- {f.name}: {f.about}" for f in taken(task))
    about = ENDS if task.kind == "interval" else CONFIDENCES
    yield from ("", about, "", TRY, "", "## This task", "")
    ranking = {"Ranking": ordering(task, find(task.primary))}
    yield from (f"- {name}: {what}" for name, what in (of_task(task) | ranking).items())
    for phase in phases:
        yield from ("", f"## Phase {code(phase.name)}", "")
        yield from (f"- {name}: {what}" for name, what in of_phase(phase).items())
    yield from ("", "## Why a run is refused", "", REFUSED)
    for title, mends in codes(task):
        yield from ("", f"### {title}", "")
        yield from (f"- `{name}`: {mend}" for name, mend in mends.items())
