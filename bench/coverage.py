"""What intervals cover and how often a board errs: the long version of tests/test_coverage.py.

    python bench/coverage.py [SETS] [BOARDS]

Prints the share of nominal 95% intervals that hold the true value, and the number of data sets
whose interval passed its gate; then the share of boards of equal runs on which any pair is told
apart. One standard error of a share of 2,000 near 95% is 0.5%.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from simulation import COARSE, FINE, board, covered, population

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


def cover(sets: int) -> None:
    """Print a line for each population, number of instances and size of clusters."""
    for levels, stated in LEVELS.items():
        for shape, ends in SHAPES.items():
            for n, size in SETTINGS:
                found = covered(
                    population(stated, *ends), KEYS, n, sets, size=size, resamples=1000, seed=11
                )
                said = "  ".join(f"{k} {share:.3f} ({many})" for k, (many, share) in found.items())
                print(f"{levels}, {shape}, n {n}, clusters of {size or 1}: {said}", flush=True)


def err(boards: int) -> None:
    """Print the family-wise error of boards of ten runs whose HMR is equal."""
    for n in (64, 200, 1000):
        for name, accuracies in ACCURACIES.items():
            wrong = 0
            for i in range(boards):
                runs = board(n, accuracies, np.random.default_rng([11, n, i]))
                found = compare(runs, find("hmr"), 500, i)
                wrong += any(pair.told_apart for pair in found.pairs)
            share = wrong / boards
            error = (share * (1 - share) / boards) ** 0.5
            print(f"family-wise error, n {n}, {name} accuracies: {share:.3f} ± {error:.3f}")


if __name__ == "__main__":
    cover(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    err(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
