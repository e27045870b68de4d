"""A made-up snapshot that has everything a page may have to show."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256

import numpy as np

from grader.analysis import analyse
from grader.board import rank, visible
from grader.freezing import frozen
from grader.measures import find
from grader.measures.calibration import reliability
from grader.model import (
    Analysis,
    Dimension,
    Drop,
    Entry,
    Erratum,
    Flag,
    Gold,
    GoldColumns,
    GoldSummary,
    Graded,
    Judged,
    Named,
    Notice,
    Ranking,
    Reinstated,
    Release,
    Results,
    Run,
    Score,
    Snapshot,
    Subsets,
    Task,
    Undefined,
    Version,
)
from grader.resample import Resampler

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
TEMPLATE = "{{ 7*7 }}{% raw %}"
LONG = "Laboratory" * 20
HOSTILE = (SCRIPT, IMAGE, TEMPLATE, LONG, "Tom & Jerry <3", "東京", "' onmouseover='x", "a\u202eb")
NARROW = 150  # the instances of the run whose scores have intervals
NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
SUBSETS = {"exam": ("Law", "Medicine", "Poetry"), "script": ("latin", "東京", IMAGE)}
MEASURES = ("r_o", "r_u", "ece@10", "bias", "auroc", "ks", "nll", "confidence", "macro(hmr,exam)")


def judged(seed: int, n: int, skill: float, push: float) -> Judged:
    """Answers that are right with a chance of ``skill``; ``push`` above 1 sharpens confidence."""
    rng = np.random.default_rng(seed)
    chance = np.clip(rng.beta(6 * skill, 6 * (1 - skill), n), 0.01, 0.99)
    right = rng.random(n) < chance
    odds = (chance / (1 - chance)) ** push
    return Judged(right, np.round(odds / (1 + odds), 2))


def graded(task: Task, run: Judged, codes: Mapping[str, np.ndarray], of: int) -> Graded:
    parts = {"all": run}
    for name, values in SUBSETS.items():
        for i, value in enumerate(values):
            mask = codes[name][: len(run.correct)] == i
            parts[f"{name}={value}"] = Judged(run.correct[mask], run.confidence[mask])
    scores = [_score(key, parts, subset) for key in task.keys for subset in parts]
    return Graded(
        scores=tuple(s for s in scores if s),
        notices=(Notice("extra-columns", f"not read: {IMAGE}"),),
        reliability=reliability(run),
        n=len(run.correct),
        of=of,
        right=int(run.correct.sum()),
        abstained=3,
        analysed=analysis(task, run, codes),
    )


def analysis(task: Task, run: Judged, codes: Mapping[str, np.ndarray]) -> Analysis | None:
    n = len(run.correct)
    cuts = tuple(Subsets(name, values, codes[name][:n]) for name, values in SUBSETS.items())
    gold = Gold(tuple(map(str, range(n))), (("?",),) * n, cuts)
    parts = {"all": Resampler(run, 50, 1)}
    return analyse(task, gold, Run((), run.confidence), parts, np.ones(n, dtype=np.bool_))


def _score(key: str, parts: Mapping[str, Judged], subset: str) -> Score | None:
    measure = find(key)
    if measure.dimension:
        if subset != "all":
            return None
        why = f"undefined in {measure.dimension}=Poetry: no instances"
        return Score(measure.key, "all", len(parts["all"].correct), None, note=why)
    n = len(parts[subset].correct)
    try:
        found = measure(parts[subset])
    except Undefined as why:
        return Score(measure.key, subset, n, None, note=str(why))
    low, high = (0.0612, 0.9876) if n == NARROW else (None, None)
    return Score(
        measure.key,
        subset,
        n,
        found.value,
        low,
        high,
        note=found.note,
        no_interval="" if low or measure.key != "ks" else "noise explains it",
        details=found.details,
    )


def entry(
    slug: str,
    team: str,
    name: str,
    grading: Graded | None,
    flags: Mapping[Flag, str] | None = None,
) -> Entry:
    return Entry(
        slug=slug,
        team=team,
        name=name,
        phase="",
        filename=f"{name[:40]} 'final'.csv",
        size=12345,
        sha256=sha256(slug.encode()).hexdigest(),
        received=NOON,
        flags=flags or {},
        graded=grading,
        settings="answers:exact|scale:probability|gold:v2:9f|run:sha256:0",
        team_slug=f"team-{sha256(team.encode()).hexdigest()[:6]}",
    )


@cache
def exams() -> Results:
    task = Task(
        "exams",
        f"Exam questions {IMAGE}",
        description=f"# About\nAnswer **three** exams. {SCRIPT} [no](javascript:alert(1)) "
        "![map](https://images.example/x.png) [paper](https://papers.example/1)\n\n"
        "| exam | n |\n|:--|--:|\n| Law | 1 |\n",
        measures=MEASURES,
        missing="leave-out",
        gold=GoldColumns(subsets=tuple(Dimension(n, v) for n, v in SUBSETS.items())),
        ranking=Ranking(min_accuracy=0.2, min_coverage=0.5),
    )
    n = 200
    rng = np.random.default_rng(5)
    codes = {"exam": rng.integers(0, 2, n), "script": rng.integers(0, 3, n)}
    dimensions = tuple(
        (name, tuple((v, int((codes[name] == i).sum())) for i, v in enumerate(values)))
        for name, values in SUBSETS.items()
    )
    drops = (
        Drop("q7", f"two right answers {SCRIPT}", "chair", NOON, post_hoc=True),
        Drop("q9", f"two right answers {SCRIPT}", "chair", NOON, post_hoc=True),
        Drop("q8", "a typing error", "chair", NOON, post_hoc=False),
    )
    gold = GoldSummary(2, "9f" * 32, NOON, "a typing error", n + 3, n, dimensions, drops)
    return Results(task, gold, _entries(task, codes, n))


def unspanned(of: Results, why: str) -> Results:
    """The results with a primary score that has no interval, for a reason, in each run."""
    first = of.task.primary

    def bare(score: Score) -> Score:
        if score.measure != first or score.subset != "all" or score.value is None:
            return score
        return score._replace(low=None, high=None, no_interval=why)

    entries = tuple(
        replace(e, graded=replace(e.graded, scores=tuple(map(bare, e.graded.scores))))
        if e.graded
        else e
        for e in of.entries
    )
    return replace(of, entries=entries)


def with_past(now: Results) -> Results:
    """The results with an older gold version under which runs scored what others do now."""
    first = replace(now.gold, version=1, commitment="00" * 32, scored=now.gold.n, drops=())
    others = (*now.entries[1:], now.entries[0])
    old = (replace(e, graded=o.graded) for e, o in zip(now.entries, others, strict=True))
    why = f"a typing error {SCRIPT}"
    (shown,) = visible(Snapshot((now,), NOON), "public").tasks
    numbers = {e.slug: i for i, e in enumerate(now.entries)}
    names = {numbers[e.slug]: Named(e.slug, e.team, e.name) for e in now.entries}
    since = (Erratum(NOON, f"gold version 2 {IMAGE}", why), Erratum(NOON, SCRIPT, IMAGE, "run-4"))
    release = Release(IMAGE, NOON, f"official {SCRIPT}", frozen((shown,), numbers), names, since)
    run_ranges = {row.entry.slug: (1, 2) for row in rank(shown).ranked}
    return replace(
        now,
        versions=(
            Version(1, NOON, "first registered", "chair", "00" * 32, first.n, first.n),
            Version(
                *(2, NOON, why, IMAGE, now.gold.commitment, first.n, now.gold.scored, 10, 1),
                dropped=now.gold.drops,
                post_hoc=True,
                seen={"": 3},
            ),
        ),
        earlier=(replace(now, gold=first, entries=tuple(old)),),
        dropped=(Reinstated("q7", {}, run_ranges), Reinstated("q9"), Reinstated("q8", {}, {})),
        releases=(release,),
    )


def _entries(task: Task, codes: Mapping[str, np.ndarray], n: int) -> tuple[Entry, ...]:
    def run(seed: int, skill: float, push: float, size: int = n) -> Graded:
        return graded(task, judged(seed, size, skill, push), codes, n)

    twin = run(1, 0.8, 1.0)
    return (
        entry("run-1", SCRIPT, "baseline forest", twin),
        entry("run-2", "Tom & Jerry <3", "same answers", twin),
        entry("run-3", IMAGE, TEMPLATE, run(3, 0.7, 2.5), {"primary": "", "amended": IMAGE}),
        entry("run-4", "東京", "' onmouseover='x", run(4, 0.65, 0.4)),
        entry("run-5", LONG, LONG, run(5, 0.6, 1.3)),
        entry("run-6", "Aster", "a\u202eb", run(6, 0.75, 1.0, NARROW)),
        entry("run-7", "Aster", "all right", graded(task, _sure(n, right=True), codes, n)),
        entry("run-8", "Bryony", "all wrong", graded(task, _sure(n, right=False), codes, n)),
        entry(
            "run-9", "Bryony", "majority", run(9, 0.5, 1.0), {"baseline": "the majority answer"}
        ),
        entry("run-10", "Clover", "second thoughts", run(10, 0.9, 1), {"withdrawn": SCRIPT}),
    )


def _sure(n: int, *, right: bool) -> Judged:
    return Judged(np.full(n, right), np.full(n, 1.0 if right else 0.0))


def plain() -> Results:
    task = Task("plain", "Nothing yet", primary="ece@10", measures=("hmr",))
    return Results(task, GoldSummary(1, "00" * 32, NOON, "", 12, 12), ())


def snapshot() -> Snapshot:
    return Snapshot((with_past(exams()), plain()), NOON)
