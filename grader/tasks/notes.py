"""What an organiser should know of a gold that is accepted. It speaks of answers: for them alone.

What is wrong with a gold is told by ``read_gold``; here is what is odd, and may be meant.
"""

from collections.abc import Iterator, Sequence

from grader.judge import outer_space
from grader.model import Gold, Task
from grader.plural import counted


def notes(task: Task, gold: Gold, lines: Sequence[int] = ()) -> Iterator[str]:
    """Yield what may not be meant, each kind of it once.

    lines  the line of each instance in the gold file; without them the first id is named

    >>> list(notes(Task("t", "T"), Gold(("q1", "q2"), (("a ",), ())), (2, 3)))[1]
    '1 gold answer begins or ends with a space (line 2): only an answer with that space matches it'
    """
    none = 0 if task.answers == "judged" else sum(not accepted for accepted in gold.answers)
    if none:
        said = counted(none, "instance", "has", "have")
        if task.kind == "interval":
            one = "it counts" if none == 1 else "they count"
            yield f"{said} no gold number: {one} in no score"
        else:
            yield f"{said} no right answer: every answer is wrong there"
    yield from _answers(task, gold, lines)
    yield from _subsets(gold)


def _answers(task: Task, gold: Gold, lines: Sequence[int]) -> Iterator[str]:
    """Yield which accepted answers look like something else than one answer."""

    def where(at: Sequence[int]) -> str:
        place = f"line {lines[at[0]]}" if lines else repr(gold.ids[at[0]])
        return place if len(at) == 1 else f"the first: {place}"

    pairs = [(i, a) for i, accepted in enumerate(gold.answers) for a in accepted]
    if at := [i for i, a in pairs if outer_space(a, task)]:
        said = counted(len(at), "gold answer", "begins or ends", "begin or end")
        yield (
            f"{said} with a space ({where(at)}): only an answer with that space matches "
            f"{'it' if len(at) == 1 else 'them'}"
        )
    single = [
        (i, *accepted)
        for i, accepted in enumerate(gold.answers)
        if len(accepted) == 1 and not {*accepted} & {*task.labels}
    ]
    if at := [i for i, a in single if a.lstrip().startswith("[")]:
        said = counted(len(at), "gold answer", "starts", "start")
        yield f"{said} with '[' ({where(at)}): a list of answers is read only in JSONL"
    if at := [] if task.gold.separator else [i for i, a in single if "|" in a]:
        said = counted(len(at), "gold answer", "holds", "hold")
        yield (
            f"{said} '|' ({where(at)}) and gold.separator is not declared: "
            f"{'it is' if len(at) == 1 else 'each is'} one answer"
        )


def _subsets(gold: Gold) -> Iterator[str]:
    """Yield which declared subsets have no instance that counts, and how many are in none."""
    for subsets in gold.subsets:
        there = set(subsets.codes[gold.scored].tolist())
        for code, value in enumerate(subsets.values):
            if code not in there:
                yield (
                    f"no instance has {subsets.name}={value}: "
                    f"a macro over {subsets.name} is undefined"
                )
        if outside := int((subsets.codes < 0).sum()):
            said = counted(outside, "instance", "is", "are")
            yield f"{said} in no subset of {subsets.name!r}: the cell is blank"
