"""A made-up board of any size: runs with scores, intervals, floors, bins and comparisons."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from grader.board import rank, visible
from grader.data import folder
from grader.measures import find
from grader.model import (
    Bin,
    Comparison,
    Dimension,
    Entry,
    GoldColumns,
    GoldSummary,
    Graded,
    Pair,
    Results,
    Score,
    Snapshot,
    Task,
    Versus,
)
from grader.site import sheets
from grader.site.environment import environment

MEASURES = ("r_o", "r_u", "ece@10", "auroc", "nll")  # beside HMR, accuracy and Brier
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
N = 5000


def crowd(runs: int, subsets: int = 0, *, compared: bool = False) -> Snapshot:
    """A task with ``runs`` runs of half as many teams, and a dimension of ``subsets`` values.

    The values have a tenth of the instances each.
    """
    values = tuple(f"Subject {i}" for i in range(subsets))
    gold = GoldColumns(subsets=(Dimension("subject", values),)) if subsets else GoldColumns()
    task = Task("crowd", "A crowd", measures=MEASURES, gold=gold)
    dimensions = (("subject", tuple((v, N // 10) for v in values)),) if subsets else ()
    summary = GoldSummary(1, "9f" * 32, NOON, "first registered", N, N, dimensions)
    rng = np.random.default_rng(1)
    entries = tuple(_entry(task, rng, i, values) for i in range(runs))
    made = Results(task, summary, entries)
    if compared:
        cuts = ("all", *(f"subject={value}" for value in values))
        made = replace(made, versus={cut: _versus(made, cut) for cut in cuts})
    return Snapshot((made,), NOON)


def _entry(task: Task, rng: np.random.Generator, i: int, values: tuple[str, ...]) -> Entry:
    cuts = ("all", *(f"subject={value}" for value in values))
    skill = rng.uniform(0.3, 0.9)
    scores = tuple(_score(key, cut, skill, rng) for key in task.keys for cut in cuts)
    shown = rng.uniform(0, 1, 10)
    bins = tuple(Bin(N // 10, (b + 0.5) / 10, float(a)) for b, a in enumerate(np.sort(shown)))
    return Entry(
        slug=f"team-{i // 2}-{i % 2 + 1}",
        team=f"Team {i // 2}",
        name=f"{('forest', 'logistic', 'network', 'ensemble')[i % 4]}, variant {i}",
        phase="",
        filename=f"run-{i}.csv",
        size=12345,
        sha256=f"{i:064x}",
        received=NOON + timedelta(seconds=i),
        flags={"primary": ""} if i % 2 else {"baseline": "the majority answer"} if i == 8 else {},
        graded=Graded(scores, (), bins, N, N, int(N * skill), 0),
        settings=f"answers:exact|scale:probability|gold:v1:{'9f' * 32}|run:sha256:{i:064x}|seed:1",
        team_slug=f"team-{i // 2}",
    )


def _score(key: str, cut: str, skill: float, rng: np.random.Generator) -> Score:
    measure = find(key)
    value = float(np.clip(skill + rng.normal(0, 0.05), 0.01, 0.99))
    near = rng.uniform(0.005, 0.02)
    n = N if cut == "all" else N // 10
    if measure.gate == "floor":
        floor = {"floor mean": near, "floor 95%": 2 * near}
        return Score(measure.key, cut, n, value, no_interval="floors bias it", details=floor)
    return Score(measure.key, cut, n, value, value - near, min(value + near, 1.0))


def _versus(made: Results, cut: str) -> Versus:
    """A comparison of all ranked runs: each is told from those two places away, or more."""
    slugs = tuple(row.entry.slug for row in rank(made, cut).ranked)
    n = len(slugs)
    pairs = tuple(
        Pair(a, b, 0.01 * (b - a), 0.01 * (b - a) - 0.012, 0.01 * (b - a) + 0.012, 0.2 / (b - a))
        for a in range(n)
        for b in range(a + 1, n)
    )
    ranks = tuple((max(i, 1), min(i + 2, n)) for i in range(n))
    found = Comparison(pairs, ranks, 1000, 2.5, (0.5,) * n, ("",) * n)
    return Versus(slugs, found, n=N)


def page(snapshot: Snapshot) -> bytes:
    """The board of a crowd, and none of the many pages beside it."""
    (contest,) = sheets.contests(visible(snapshot, "public"))
    template = environment(folder("templates")).get_template("pages/{task}/index.html")
    scope = {"contest": contest, "sheet": contest.now, "last": None, "places": {}}
    return template.render(root="../", **scope).encode()


def files(snapshot: Snapshot) -> dict[str, bytes]:
    """The same with what it loads."""
    static = (folder("templates") / "static").iterdir()
    return {"crowd/index.html": page(snapshot)} | {
        f"static/{file.name}": Path(file).read_bytes() for file in static
    }
