"""How fast the numbers are, and what memory they take."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from time import perf_counter

import numpy as np
import probcal.metrics as probcal
from scipy.stats import bootstrap, permutation_test
from side import Row, at_least, at_most
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from grader.compare import compare
from grader.measures import MEASURES, find
from grader.model import FloatArray, Judged, Resampling, Subsets
from grader.resample import Resampler
from grader.scoring import measured, parts_of

SIZES = (10**4, 10**5, 10**6)
RESAMPLES = 1000
SUBSETS = 20
RUNS, PAIRS = 100, 20
KEYS = tuple(
    f"{key}@{m.parameter.example}" if m.parameter and m.parameter.required else key
    for key, m in MEASURES.items()
    if m.needs in ("confidence", "order") and key != "smece"
)
ALL = f"{len(KEYS)} measures"


def run(n: int, seed: int = 1) -> Judged:
    """A miscalibrated run with continuous confidences: every interval passes its gate."""
    rng = np.random.default_rng(seed)
    sure = rng.random(n)
    return Judged(rng.random(n) < 0.2 + 0.6 * sure, sure)


def points(judged: Judged) -> None:
    """Every measure, of arrays that nothing is known of yet."""
    fresh = Judged(judged.correct, judged.confidence)
    for key in KEYS:
        find(key)(fresh)


def intervals(judged: Judged) -> None:
    """Every measure with its interval, and the floor that the interval asks for."""
    part = Resampler(Judged(judged.correct, judged.confidence), RESAMPLES, 1)
    for key in KEYS:
        measure = find(key)
        value = measure(part.judged).value
        floor = part.floor(measure) if measure.interval != "none" else None
        part.interval(measure, value, floor)


def _peers(judged: Judged) -> None:
    right, sure = judged.correct, judged.confidence
    roc_auc_score(right, sure)
    brier_score_loss(right, sure)
    log_loss(right, sure)
    probcal.ece(right, sure, n_bins=10, strategy="width")
    probcal.ecce(right, sure)  # its maximum is KS


def points_and_sort() -> Row:
    judged = run(SIZES[-1])
    sort = "np.sort of the confidences"
    return at_most(
        f"{ALL}, n = {SIZES[-1]:,}",
        lambda: points(judged),
        (sort, lambda: np.sort(judged.confidence)),
        12,
    )


def points_and_peers(n: int) -> Row:
    judged = run(n)
    peers = "scikit-learn's AUROC, Brier and NLL, probcal's ECE and KS"
    return at_least(
        f"{ALL}, n = {n:,}", lambda: points(judged), (peers, lambda: _peers(judged), 1.0), 8
    )


def _binned(sure: FloatArray, right: FloatArray) -> float:
    bins = np.minimum((sure * 10).astype(np.intp), 9)
    return float(np.abs(np.bincount(bins, sure - right, 10)).sum() / len(sure))


def intervals_and_scipy(n: int, least: float) -> Row:
    """The reference draws fewer resamples where n is large; its time is extrapolated."""
    judged = run(n)
    draws = min(RESAMPLES, 3 * 10**7 // n)
    data = (judged.confidence, judged.correct.astype(float))

    def peer() -> None:
        bootstrap(
            data,
            _binned,
            paired=True,
            vectorized=False,
            n_resamples=draws,
            method="percentile",
            rng=1,
        )

    return at_least(
        f"{RESAMPLES:,}-resample intervals of {ALL}, n = {n:,}",
        lambda: intervals(judged),
        (
            f"scipy.stats.bootstrap of one ECE, {draws} resamples extrapolated",
            peer,
            draws / RESAMPLES,
        ),
        least,
        repeats=3,
    )


def subsets() -> Row:
    n = SIZES[-1]
    judged = run(n)
    codes = np.random.default_rng(2).integers(SUBSETS, size=n)
    cut = Subsets("part", tuple(f"s{i}" for i in range(SUBSETS)), codes)
    every, settings = np.ones(n, dtype=np.bool_), Resampling(0, 1)

    def work(*cuts: Subsets) -> list[object]:
        fresh = Judged(judged.correct, judged.confidence)
        return list(measured(KEYS, parts_of(fresh, every, cuts, settings)))

    return at_most(
        f"{ALL} pooled and in {SUBSETS} subsets, n = {n:,}", lambda: work(cut), ("pooled", work), 4
    )


def board() -> Row:
    """HMR of all pairs of a board, adjusted p and rank intervals."""
    n = 10**4
    runs = [run(n, seed) for seed in range(RUNS)]
    pairs = list(islice(combinations(runs, 2), PAIRS))

    def peer() -> None:
        for pair in pairs:
            signed = tuple(np.where(r.correct, r.confidence, -r.confidence) for r in pair)
            permutation_test(
                signed,
                lambda a, b: _hmr(a) - _hmr(b),
                permutation_type="samples",
                vectorized=False,
                n_resamples=RESAMPLES,
                rng=1,
            )

    start = perf_counter()
    peer()
    theirs = (perf_counter() - start) * (RUNS * (RUNS - 1) / 2) / PAIRS
    times = []
    for _ in range(3):
        start = perf_counter()
        compare(runs, find("hmr"), RESAMPLES, 1)
        times.append(perf_counter() - start)
    ratio = theirs / min(times)
    return Row(
        f"HMR of all pairs, {RUNS} runs × {n:,} × {RESAMPLES:,} resamples",
        min(times),
        f"scipy.stats.permutation_test, {PAIRS} pairs extrapolated",
        theirs,
        ratio,
        "≥ 100 × faster",
        ratio >= 100,
    )


def _hmr(signed: FloatArray) -> float:
    """HMR of confidences, those of wrong answers with a minus."""
    right = signed > 0
    over, under = 1 + signed[~right].mean(), signed[right].mean()
    return float(2 * over * under / (over + under))


def _alone(work: str) -> tuple[float, float, float]:
    """What a process of its own says: seconds, bytes at its peak above its start, bytes read."""
    script = Path(__file__).parent / "memory.py"
    said = subprocess.run(  # noqa: S603, our own script
        [sys.executable, script, work], check=True, capture_output=True, text=True
    )
    seconds, peak, size = map(float, said.stdout.split())
    return seconds, peak, size


def memory_of_intervals() -> Row:
    seconds, peak, _ = _alone("intervals")
    work = f"memory of {RESAMPLES:,}-resample intervals, n = {SIZES[-1]:,}"
    ratio = peak / 2**30
    return Row(work, seconds, "1 GiB", 0.0, ratio, "≤ 1 ×", ratio <= 1)


def memory_of_grading() -> Row:
    seconds, peak, size = _alone("grade")
    work = f"memory of bytes → Graded, {SIZES[-1]:,} rows, above an empty process"
    ratio = peak / size
    return Row(work, seconds, f"the file, {size / 1e6:.1f} MB", 0.0, ratio, "≤ 25 ×", ratio <= 25)


def grading() -> Row:
    seconds, _, size = _alone("grade-fewer")
    work = f"bytes → Graded, 10^5 rows, {SUBSETS} subsets, all intervals"
    return Row(work, seconds, f"none; {size / 1e6:.1f} MB", 0.0, 0.0, "printed", None)


ROWS: tuple[Callable[[], Row], ...] = (
    points_and_sort,
    *(partial(points_and_peers, n) for n in SIZES),
    *(partial(intervals_and_scipy, n, x) for n, x in zip(SIZES, (3, 15, 150), strict=True)),
    memory_of_intervals,
    subsets,
    board,
    grading,
    memory_of_grading,
)
