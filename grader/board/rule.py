"""How runs are ranked, in words."""

from grader.board.values import lead
from grader.model import Measure, Results, Task


def rule(results: Results, subset: str = "all") -> str:
    """The ranking rule in words, printed on every board."""
    said = ordering(results.task, lead(results, subset))
    if subset == "all":
        return said
    return f"{said[:-1]}; ranks on a subset are another ranking than the overall one."


def ordering(task: Task, measure: Measure) -> str:
    """How runs are ranked by a measure, in words."""
    ranking = task.ranking
    runs = {
        "all": "Every run has its own row",
        "best": "Each team is ranked by its best run overall",
        "primary": "Each team is ranked by the run it last named primary",
    }[ranking.rule]
    parts = [
        f"{runs}, ordered by {measure.title} ({measure.better} is better)",
        f"values equal at {ranking.digits} decimals share a rank",
    ]
    right = f"{ranking.min_right} right answer{'' if ranking.min_right == 1 else 's'}"
    needs = [right] if task.kind == "answers" else []
    needs += [f"an accuracy of {ranking.min_accuracy:g}"] if ranking.min_accuracy else []
    if task.missing == "leave-out":
        needs.append(f"{percent(ranking.min_coverage)} of the instances answered")
    if task.kind == "interval":
        parts.append(f"the stated level of coverage is {task.interval.level:g}")
    if needs:
        parts.append(f"to be ranked a run needs at least {' and '.join(needs)}")
    return "; ".join(parts) + "."


def percent(share: float) -> str:
    return f"{share * 100:.10g}%"
