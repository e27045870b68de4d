"""What intervals cover, and how often a board of equals errs: tests/test_coverage.py at length.

    python bench/coverage.py [SETS] [WORD …]

A line for each population, number of instances and size of clusters: the share of 95% intervals
that hold the true value, and in brackets the share of data sets that have one, if not nearly all.
`<` and `>` mark a share that is 2.6 standard errors outside its band: .92 to .98, of calibration
errors .85 to .98; at least .95 of boards tell no equals apart. Where fewer than half of the data
sets pass a gate, those that do are lucky ones, and nothing is marked. The last line counts.
WORDs choose lines. 1,000 SETS, the default, take about ten minutes on one core.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # after bench: some names are in both
from simulation import (
    COARSE,
    FINE,
    board,
    bounded,
    covered,
    covered_differences,
    covered_means,
    covered_verdict,
    population,
    stated,
)

from grader.compare import compare
from grader.measures import find

Found = dict[str, tuple[int, float]]  # of each key: data sets with an interval, share that held
BINNED = ("ece@10", "ece@20", "ecemass@10", "ks")
SUMMED = ("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr", "brier", "nll")
RANKING = ("auroc", "aurc", "eaurc", "augrc", "selacc@80")
KEYS = (*SUMMED, *RANKING, *BINNED)
RUNS = (
    ("overconfident", population(FINE, 0.1, 0.75), ((50, 0), (100, 5), (200, 0), (1000, 5))),
    ("errors that cancel", population(FINE), ((100, 0), (200, 8), (1000, 0))),
    ("eleven levels", population(COARSE, 0.1, 0.75), ((50, 0), (100, 5), (200, 5), (1000, 0))),
    ("sure", population(FINE, 0.05, 0.97, 8), ((100, 0), (200, 5))),
    ("few wrong", population(FINE, 0.5, 1.0, 16), ((50, 0), (100, 0), (200, 5), (1000, 5))),
    ("few right", population(COARSE, 0.01, 0.14), ((100, 0), (200, 5))),
)
OTHERS = (
    ("class probabilities", stated(), ("br", "nbr", "nllc")),
    ("rounded class probabilities", stated(digits=2), ("br", "nllc")),
    ("intervals", bounded(), ("coverage", "width", "iscore")),
    ("intervals that seldom miss", bounded(2.2), ("coverage", "width", "iscore")),
)
UNEQUAL = (population(FINE, 0.1), population(FINE), population(FINE, 0.4, 0.6))
ABOVE = (population(FINE, 0.1, 0.75),) * 3
TWO = (population(COARSE), population(COARSE, 0.1, 0.75, 1.5))
ACCURACIES = {"equal": [0.6] * 10, "unequal": np.linspace(0.35, 0.75, 10)}


def cells(sets: int) -> Iterator[tuple[str, int, Callable[[], Found]]]:
    """Yield what each line is of, how many data sets it takes, and how it is found."""
    given = {"resamples": 500, "seed": 11}
    for name, one, settings in RUNS:
        for n, size in settings:
            many = sets if n < 1000 else sets // 2
            found = partial(covered, one, KEYS, n, many, size=size, **given)
            yield f"runs, {name}, {said(n, size)}", many, found
    for name, one, keys in OTHERS:
        for n, size in ((50, 0), (100, 5), (200, 8), (1000, 0)):
            yield (
                f"{name}, {said(n, size)}",
                sets,
                partial(covered, one, keys, n, sets, size=size, **given),
            )
    for n, size in ((50, 0), (200, 8)):
        found = partial(verdicts, n, sets, size=size, **given)
        yield f"verdict, {said(n, size)}", sets, found
    few = max(sets // 4, 1)
    for parts, size, one, keys in (
        ((200, 100, 60), 0, UNEQUAL, (*SUMMED, *RANKING)),
        ((400, 200, 200), 5, UNEQUAL, (*SUMMED, *RANKING)),
        ((400, 600, 400), 0, ABOVE, BINNED),
    ):
        found = partial(covered_means, one, keys, parts, few, size=size, **given)
        yield f"means over subsets, {said(parts, size)}", few, found
    for n, size in ((50, 0), (100, 5), (200, 0)):
        found = partial(covered_differences, TWO, (*SUMMED, *RANKING), n, few, size=size, **given)
        yield f"differences, {said(n, size)}", few, found
    for n, size in ((64, 0), (200, 4), (1000, 0)):
        for name, accuracies in ACCURACIES.items():
            found = partial(told_apart, n, size, accuracies, few)
            yield f"boards, {name} accuracies, {said(n, size)}", few, found


def said(n: object, size: int) -> str:
    """The number of instances, and how they are clustered."""
    return f"n {n}, in {size}s" if size else f"n {n}"


def verdicts(n: int, sets: int, **given: int) -> Found:
    """What intervals of R_U − R_O cover."""
    return {"r_u - r_o": covered_verdict(population(FINE), n, sets, **given)}


def told_apart(n: int, size: int, accuracies: list[float], boards: int) -> Found:
    """The share of boards of equal HMR, of two populations, on which no pair is told apart."""
    held = dict.fromkeys(("doubtful", "overconfident"), 0)
    for kind, sure in zip(held, ((-0.2, 0.7), (3.0, 2.0)), strict=True):
        for i in range(boards):
            rng = np.random.default_rng([11, n, size, i])
            found = compare(board(n, accuracies, rng, size, sure), find("hmr"), 300, i)
            held[kind] += not any(pair.told_apart for pair in found.pairs)
    return {kind: (boards, many / boards) for kind, many in held.items()}


def mark(what: str, key: str, many: int, share: float) -> str:
    """Whether a share lies outside its band, above what chance explains."""
    low, high = (0.85, 0.98) if key in BINNED else (0.92, 0.98)
    if what.startswith("boards"):
        low, high = 0.95, 1.0
    errors = [2.6 * (edge * (1 - edge) / many) ** 0.5 for edge in (low, high)]
    return "<" if share < low - errors[0] else ">" if share > high + errors[1] else ""


def main(sets: int, words: list[str]) -> None:
    """Print a line for each cell, and how many shares lie outside their bands."""
    marked = judged = 0
    for what, drawn, find_them in cells(sets):
        if not all(word in what for word in words):
            continue
        shares = []
        for key, (many, share) in find_them().items():
            part = many / drawn
            sign = mark(what, key, many, share) if part >= 0.5 else ""
            judged, marked = judged + (part >= 0.5), marked + bool(sign)
            text = f"{share:.3f}{sign}" if many else "none"
            shares.append(f"{key} {text}" + (f" ({part:.2f})" if 0 < part < 0.99 else ""))
        print(f"{what}: {'  '.join(shares)}", flush=True)
    print(f"{marked} of {judged} shares lie outside their bands")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:])
