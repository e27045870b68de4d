"""What intervals cover and how often a board errs: the long version of tests/test_coverage.py.

    python bench/coverage.py [SETS] [BOARDS]

Prints the share of nominal 95% intervals that hold the true value, and the number of data sets
whose interval passed its gate; then the share of boards of equal runs on which any pair is told
apart. One standard error of a share of 3,000 near 95% is 0.4%.
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
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

KEYS = (
    *("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr", "brier", "nll"),
    *("auroc", "aurc", "eaurc", "augrc", "selacc@80", "ece@10", "ece@20", "ecemass@10", "ks"),
)
LEVELS = {"400 levels": FINE, "11 levels": COARSE}
SHAPES = {"overconfident": (0.1, 0.75), "errors that cancel": (0.25, 0.85)}
SETTINGS = ((50, 0), (200, 0), (200, 4), (400, 8), (1000, 0), (1000, 5))
ACCURACIES = {"equal": [0.6] * 10, "unequal": np.linspace(0.35, 0.75, 10)}
SURE = {"doubtful": (-0.2, 0.7), "overconfident": (3.0, 2.0)}  # means and deviations, in logits


def cover(sets: int) -> None:
    """Print a line for each population, number of instances and size of clusters."""
    for name, levels in LEVELS.items():
        for shape, ends in SHAPES.items():
            for n, size in SETTINGS:
                found = covered(
                    population(levels, *ends), KEYS, n, sets, size=size, resamples=1000, seed=11
                )
                say(f"{name}, {shape}, n {n}, clusters of {size or 1}", found)


def cover_the_rest(sets: int) -> None:
    """The same of class probabilities, intervals, means over subsets, verdicts, differences."""
    drawn = (
        ("class probabilities", stated(), ("br", "nbr", "nllc")),
        ("rounded class probabilities", stated(digits=2), ("br", "nllc")),
        ("intervals", bounded(), ("coverage", "width", "iscore")),
    )
    two = (population(FINE), population(FINE, 0.1, 0.75, 1.5))
    unequal = (population(FINE, 0.1), population(FINE), population(FINE, 0.4, 0.6))
    above = (population(FINE, 0.1, 0.75),) * 3
    for n, size in (*SETTINGS, (100, 5)):
        given = {"size": size, "resamples": 1000, "seed": 11}
        where = f"n {n}, clusters of {size or 1}"
        for name, one, keys in drawn:
            say(f"{name}, {where}", covered(one, keys, n, sets, **given))
        for name, levels in LEVELS.items():
            found = covered_verdict(population(levels), n, sets, **given)
            say(f"verdict, {name}, {where}", {"r_u - r_o": found})
        say(f"differences, {where}", covered_differences(two, KEYS[:-4], n, sets, **given))
    for sizes, size in (((200, 100, 20), 0), ((60, 60, 60), 0), ((400, 200, 80), 4)):
        given = {"size": size, "resamples": 1000, "seed": 11}
        where = f"{sizes}, clusters of {size or 1}"
        say(f"means over {where}", covered_means(unequal, KEYS[:-4], sizes, sets, **given))
        large = tuple(max(200, n) for n in sizes)
        where = f"{large}, clusters of {size or 1}"
        say(f"means over {where}", covered_means(above, KEYS[-4:], large, sets, **given))


def say(what: str, found: dict[str, tuple[int, float]]) -> None:
    """Print the shares of some keys on one line."""
    said = "  ".join(f"{key} {share:.3f} ({many})" for key, (many, share) in found.items())
    print(f"{what}: {said}", flush=True)


def err(boards: int) -> None:
    """Print the family-wise error of boards of ten runs whose HMR is equal."""
    for n, size in ((64, 0), (200, 0), (1000, 0), (200, 4)):
        for (name, accuracies), (kind, sure) in product(ACCURACIES.items(), SURE.items()):
            wrong = 0
            for i in range(boards):
                rng = np.random.default_rng([11, n, size, i])
                found = compare(board(n, accuracies, rng, size, sure), find("hmr"), 500, i)
                wrong += any(pair.told_apart for pair in found.pairs)
            share = wrong / boards
            error = (share * (1 - share) / boards) ** 0.5
            where = f"{kind}, n {n}, clusters of {size or 1}, {name} accuracies"
            print(f"family-wise error, {where}: {share:.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    cover(many)
    cover_the_rest(many)
    err(int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
