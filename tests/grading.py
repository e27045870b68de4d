"""The walk from the text of two files to scores or problems, as the tests take it."""

from grader.grade import grade
from grader.model import Graded, Rejected
from grader.tasks import parse, read_gold

MEASURES = (
    *("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr"),
    *("ece@10", "mce@10", "ks", "brier", "nll", "auroc"),
)
RUN = "id,answer,confidence\n"
GOLD = "id,answer,subset\n"


def task_of(toml="", measures=MEASURES):
    """A task with a title and measures, and whatever else ``toml`` says."""
    return parse(f'title = "T"\nmeasures = {list(measures)}\n{toml}', "t")


def coded(text):
    return text.encode() if isinstance(text, str) else text


def walk(run, gold, toml="", measures=MEASURES):
    task = task_of(toml, measures)
    return grade(task, read_gold(task, coded(gold), "gold"), coded(run))


def graded(run, gold, toml="", measures=MEASURES):
    found = walk(run, gold, toml, measures)
    assert isinstance(found, Graded), found
    return found


def values(run, gold, toml="", measures=MEASURES):
    """The value of every measure, by its key, or by (key, subset) for parts."""
    return {
        s.measure if s.subset == "all" else (s.measure, s.subset): s.value
        for s in graded(run, gold, toml, measures).scores
    }


def refused(run, gold, toml="", measures=MEASURES):
    """The problems of a refused run; being refused, it has no score."""
    found = walk(run, gold, toml, measures)
    assert isinstance(found, Rejected), found
    assert found.problems
    return found.problems


def places(problems):
    """Line, field and code of each problem."""
    return [(p.line, p.field, p.code) for p in problems]
