"""Make this folder's gold and runs from scikit-learn's bundled digits.

    python generate.py [FOLDER]

Writes gold.csv, broken.csv and runs/*.csv into FOLDER, by default the script's own. The same
library versions on the same machine give the same bytes: every seed is fixed, one thread
computes, and confidences are printed to six decimals.
"""

import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIDE = 8
SEED = 20240229
FOLDS = StratifiedKFold(5, shuffle=True, random_state=SEED)
RUN = "id,answer,confidence"
INKS = ("light", "medium", "heavy")


@dataclass(frozen=True)
class Data:
    """What a system sees: pixels in [0, 1], shape (n, 64), and the digits of the training half."""

    train: Floats
    digits: Ints
    held: Floats


@dataclass(frozen=True)
class Claims:
    """What a system says of each held-out image: a digit, and its confidence in [0, 1]."""

    answers: Ints
    confidence: Floats


def noisy(image: Floats, rng: np.random.RandomState) -> Floats:
    """Add Gaussian noise to every pixel, cut to [0, 1]."""
    return np.clip(image + rng.normal(0, 0.3, image.shape), 0, 1)


def shifted(image: Floats, rng: np.random.RandomState) -> Floats:
    """Move by two thirds of a pixel up, down, left or right, in linear interpolation."""
    corner = [1, 1]
    corner[rng.randint(2)] += (-1, 1)[rng.randint(2)]
    row, column = corner
    moved = np.pad(image, 1)[row : row + SIDE, column : column + SIDE]
    return (image + 2 * moved) / 3


def occluded(image: Floats, rng: np.random.RandomState) -> Floats:
    """Blank a square of three by three pixels, away from the empty margin."""
    row, column = rng.randint(1, SIDE - 3, 2)
    hidden = image.copy()
    hidden[row : row + 3, column : column + 3] = 0
    return hidden


QUALITIES = {"noisy": noisy, "shifted": shifted, "occluded": occluded}


def spoil(images: Floats, kinds: Sequence[str], rng: np.random.RandomState) -> Floats:
    """Each image spoiled in its way; one whose kind is ``clean`` stays as it was."""
    squares = images.reshape(-1, SIDE, SIDE)
    done = [
        QUALITIES[kind](square, rng) if kind in QUALITIES else square
        for square, kind in zip(squares, kinds, strict=True)
    ]
    return np.array(done).reshape(images.shape)


def inks(images: Floats) -> list[str]:
    """Say to which third of the held-out images each belongs by its amount of ink."""
    ink = images.sum(axis=1)
    return [INKS[i] for i in np.searchsorted(np.quantile(ink, (1 / 3, 2 / 3)), ink)]


def halves() -> tuple[Data, list[tuple[str, int, str, str]]]:
    """Make the data, and the gold's rows (id, answer, ink, quality) for the held-out half.

    The first half trains, as in scikit-learn's own example. The second is shuffled before it
    gets its ids, and half of it is spoiled at random. Ink is that of the clean image.
    """
    # RandomState's streams are frozen; those of default_rng may change with numpy.
    rng = np.random.RandomState(SEED)
    bundle = load_digits()
    pixels, digits = bundle.data / 16, bundle.target
    middle = len(digits) // 2
    order = middle + rng.permutation(len(digits) - middle)
    kinds = [*QUALITIES, *["clean"] * 3] * (len(order) // 6 + 1)
    quality = [kinds[i] for i in rng.permutation(len(order))]
    held = spoil(pixels[order], quality, rng)
    places = enumerate(zip(order, inks(pixels[order]), quality, strict=True), 1)
    gold = [(f"d{i:04d}", int(digits[place]), ink, kind) for i, (place, ink, kind) in places]
    return Data(pixels[:middle], digits[:middle], held), gold


def top(probabilities: Floats) -> Claims:
    """Answer the likeliest digit with its probability; column k is digit k."""
    return Claims(probabilities.argmax(axis=1), probabilities.max(axis=1))


def softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def logistic() -> LogisticRegression:
    """Barely regularised, so that its confidences are its own fault."""
    return LogisticRegression(C=100, max_iter=5000, tol=1e-6)


def network() -> MLPClassifier:
    return MLPClassifier((64,), alpha=1e-4, max_iter=800, tol=1e-5, random_state=SEED)


def fitted(model: ClassifierMixin, data: Data) -> Claims:
    """Train a classifier of scikit-learn on the training half and ask it."""
    return top(model.fit(data.train, data.digits).predict_proba(data.held))


def forest(data: Data) -> Claims:
    return fitted(RandomForestClassifier(100, random_state=SEED, n_jobs=1), data)


def thresholded(data: Data) -> Claims:
    """Answer like the forest, certain where it is at least half sure, else not at all."""
    claims = forest(data)
    return replace(claims, confidence=np.where(claims.confidence >= 0.5, 1.0, 0.0))


def neighbours() -> KNeighborsClassifier:
    return KNeighborsClassifier(5, algorithm="brute", n_jobs=1)


def constant(data: Data) -> Claims:
    """Answer like the neighbours, always as sure as they are right on the training half."""
    claims = fitted(neighbours(), data)
    share = float(neighbours().fit(data.train, data.digits).score(data.train, data.digits))
    return replace(claims, confidence=np.full(len(claims.answers), share))


def logits_over(temperature: float, data: Data) -> Claims:
    model = logistic().fit(data.train, data.digits)
    return top(softmax(model.decision_function(data.held) / temperature))


def temperature_scaled(data: Data) -> Claims:
    """Divide the logits by one number, the best in log loss over the training half's folds."""
    logits = cross_val_predict(
        logistic(), data.train, data.digits, cv=FOLDS, method="decision_function"
    )
    rows = np.arange(len(data.digits))

    def loss(temperature: float) -> float:
        return float(-np.log(softmax(logits / temperature)[rows, data.digits]).mean())

    return logits_over(min((t / 50 for t in range(10, 501)), key=loss), data)


def calibrated(model: ClassifierMixin, method: str, data: Data) -> Claims:
    """Train and recalibrate on the folds of the training half; the five fits are averaged."""
    return fitted(CalibratedClassifierCV(model, method=method, cv=FOLDS), data)


def augmented(data: Data) -> Claims:
    """Train the network on spoiled copies of its images too: it has seen such trouble."""
    rng = np.random.RandomState(SEED + 1)
    copies = [spoil(data.train, [kind] * len(data.train), rng) for kind in QUALITIES]
    more = np.concatenate([data.train, *copies])
    return fitted(network(), Data(more, np.tile(data.digits, len(copies) + 1), data.held))


SYSTEMS: dict[str, Callable[[Data], Claims]] = {
    "bayes": lambda data: fitted(GaussianNB(var_smoothing=0.03), data),
    "tree": lambda data: fitted(DecisionTreeClassifier(max_depth=8, random_state=SEED), data),
    "forest": forest,
    "forest-thresholded": thresholded,
    "neighbours": lambda data: fitted(neighbours(), data),
    "neighbours-constant": constant,
    "logistic": lambda data: logits_over(1, data),
    "logistic-sharpened": lambda data: logits_over(1 / 4, data),
    "logistic-temperature": temperature_scaled,
    "logistic-isotonic": lambda data: calibrated(logistic(), "isotonic", data),
    "svm-platt": lambda data: calibrated(SVC(C=10), "sigmoid", data),
    "network": lambda data: fitted(network(), data),
    "network-augmented": augmented,
}


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def broken(rows: list[list[str]]) -> list[list[str]]:
    """Put a handful of mistakes into a run, for ``grader check`` to find."""
    spoiled = [list(row) for row in rows]
    spoiled[3][2] = "1.3"
    spoiled[7][2] = "87%"
    spoiled[11][2] = "sure"
    spoiled[15][2] = ""
    spoiled[19][1] = "eight"
    spoiled[23][0] = "d9999"
    spoiled[27] = list(spoiled[26])
    del spoiled[-5:]
    return spoiled


def main(folder: Path) -> None:
    data, gold = halves()
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    write(folder / "gold.csv", "id,answer,ink,quality", gold)
    for name, system in SYSTEMS.items():
        said = system(data)
        claims = zip(gold, said.answers, said.confidence, strict=True)
        rows = [[row[0], str(answer), f"{sure:.6f}"] for row, answer, sure in claims]
        write(folder / "runs" / f"{name}.csv", RUN, rows)
        if name == "forest":
            write(folder / "broken.csv", RUN, broken(rows))


if __name__ == "__main__":
    with threadpool_limits(limits=1):
        main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent)
