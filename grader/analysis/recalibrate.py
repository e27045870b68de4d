"""What honest confidences would have scored: learnt on other instances, never ranked."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from grader.analysis.isotonic import isotonic
from grader.analysis.reading import reading
from grader.analysis.temperature import temperature, tempered
from grader.measures import find
from grader.model import (
    FloatArray,
    IntArray,
    Judged,
    Measure,
    Reading,
    Recalibrated,
    Recalibration,
    Resampling,
    Undefined,
)
from grader.resample import Resampler

FOLDS = 5
LEAST = 10  # clusters for each fold
KEYS = ("hmr", "ece@10", "brier", "auroc")


def recalibration(judged: Judged, settings: Resampling) -> Recalibration:
    """HMR, ECE, Brier and AUROC before, and after each way of learning better confidences.

    Each cluster's confidences are learnt on the folds that it is not in.

    judged  in the order of ids: the folds are drawn by place
    """
    fold, many = folds(judged, settings.seed)
    before = _readings(judged, settings)
    if many < FOLDS * LEAST:
        said = "instances" if not judged.cluster.size else "clusters"
        return Recalibration(FOLDS, before, (), f"{many} {said}; {FOLDS * LEAST} are needed")
    after = [Recalibrated("isotonic", _readings(_with(judged, fold, _isotonic), settings))]
    if judged.classes is not None:
        found = temperature(judged.classes)
        if found is not None:
            warm = _with(judged, fold, _temperature)
            after.append(Recalibrated("temperature", _readings(warm, settings), found))
    return Recalibration(FOLDS, before, tuple(after))


def folds(judged: Judged, seed: int) -> tuple[IntArray, int]:
    """The fold of each instance, whole clusters together; and how many clusters there are."""
    many = int(judged.groups.max(initial=-1)) + 1
    order = np.random.default_rng([seed, many, FOLDS]).permutation(many)
    return np.asarray(order[judged.groups] % FOLDS), many


def _with(judged: Judged, fold: IntArray, learn: Callable[[Judged, Judged], FloatArray]) -> Judged:
    """The run with the confidences of each fold learnt on the others."""
    sure = np.empty(len(fold))
    for one in range(FOLDS):
        held, rest = np.flatnonzero(fold == one), np.flatnonzero(fold != one)
        sure[held] = learn(judged.part(rest), judged.part(held))
    return replace(judged, confidence=sure)


def _isotonic(known: Judged, new: Judged) -> FloatArray:
    return np.asarray(np.interp(new.confidence, *isotonic(known.cells)))


def _temperature(known: Judged, new: Judged) -> FloatArray:
    if known.classes is None or new.classes is None:
        raise ValueError("temperature scaling needs class probabilities")
    found = temperature(known.classes)
    return new.confidence if found is None else tempered(new.confidence, new.classes, found)


def _readings(judged: Judged, settings: Resampling) -> tuple[Reading, ...]:
    """The value of each measure of KEYS with its floor, or why it has none."""
    part = Resampler(judged, settings.resamples, settings.seed)
    return tuple(_reading(find(key), part) for key in KEYS)


def _reading(measure: Measure, part: Resampler) -> Reading:
    try:
        return reading(measure, measure(part.judged), part.floor(measure))
    except Undefined as why:
        return Reading(measure.key, None, str(why))


def said(found: Recalibration, digits: int) -> str:
    """What recalibration did to HMR and to the error of the confidences, in a sentence or two."""
    if not found.after:
        return f"Not tried: {found.reason}."
    best = min(found.after, key=lambda one: _value(one.readings, "brier"))
    old = {r.measure: r.value for r in found.before}
    new = {r.measure: r.value for r in best.readings}

    def move(key: str, name: str) -> str:
        a, b = (f"{x[key]:.{digits}f}" for x in (old, new))
        if a == b:
            return f"{name} stays at {a}"
        return f"{name} {'falls' if float(b) < float(a) else 'rises'} from {a} to {b}"

    moves = ", ".join(move(k, n) for k, n in (("ece@10", "ECE"), ("brier", "Brier")))
    verdict = _lesson(old, new, digits)
    return f"With {best.method} recalibration {moves}, and {move('hmr', 'HMR')}.{verdict}"


def _value(found: tuple[Reading, ...], key: str) -> float:
    value = next(r.value for r in found if r.measure == key)
    return float("inf") if value is None else value


def _lesson(old: dict[str, float | None], new: dict[str, float | None], digits: int) -> str:
    """What the reader should take from it, if honesty and HMR pull apart."""
    better, honest = (_moved(old, new, key, digits) for key in ("hmr", "brier"))
    if better < 0 and honest < 0:
        return " Honest confidences lower HMR here: a better HMR is not a better confidence."
    if better > 0 and honest < 0:
        return " Honest confidences raise HMR here: the run loses by its miscalibration."
    if better > 0 and honest >= 0:
        return (
            " Brier does not fall, so no more honest confidences were learnt: a better HMR alone "
            "is not a better confidence."
        )
    if honest >= 0:
        return " There was little to learn: the confidences are about as honest as they can be."
    return ""


def _moved(
    old: dict[str, float | None], new: dict[str, float | None], key: str, digits: int
) -> float:
    return round(new[key] or 0.0, digits) - round(old[key] or 0.0, digits)
