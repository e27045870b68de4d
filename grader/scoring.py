"""Measures × subsets → scores."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from hashlib import sha256

import numpy as np

from grader import __version__
from grader.judge import judge
from grader.measures import find, within
from grader.measures.calibration import reliability
from grader.model import BoolArray, Gold, Graded, Judged, Measure, Run, Score, Task, Undefined

NO_INTERVAL = "intervals are not computed by this version"


def score(task: Task, gold: Gold, run: Run) -> Graded:
    """Every measure of the task, overall and in each subset of each dimension.

    Only scored instances count. A missing one is wrong at confidence 1 under
    ``missing = "worst"`` and left out under ``"leave-out"``.
    """
    right, abstained = judge(task, gold, run)
    present = np.array([a is not None for a in run.answers], dtype=np.bool_)
    counted = gold.scored if task.missing == "worst" else gold.scored & present
    parts = {
        name: Judged(right[mask], run.confidence[mask])
        for name, mask in _masks(gold, counted).items()
    }
    measures = [find(key) for key in task.keys]
    # Boards of subsets rank by what a macro is a mean of, whether the task lists it or not.
    measures += [m for m in (within(measures[0]),) if m.key not in task.keys]
    scores = tuple(s for measure in measures for s in _over(measure, parts))
    whole = parts["all"]
    return Graded(
        scores=scores,
        notices=run.notices,
        reliability=reliability(whole.correct, whole.confidence) if len(whole.correct) else (),
        n=int((gold.scored & present).sum()),
        of=int(gold.scored.sum()),
        right=int(whole.correct.sum()),
        abstained=int(abstained[counted].sum()),
    )


def _masks(gold: Gold, counted: BoolArray) -> dict[str, BoolArray]:
    """The instances of each subset, ``all`` first."""
    masks = {"all": counted}
    for dimension in gold.subsets:
        for i, value in enumerate(dimension.values):
            masks[f"{dimension.name}={value}"] = counted & (dimension.codes == i)
    return masks


def _over(measure: Measure, parts: Mapping[str, Judged]) -> Iterator[Score]:
    """Yield a measure's score on each subset; a macro has one, on the whole."""
    if measure.dimension:
        yield _macro(measure, parts)
        return
    for name, judged in parts.items():
        yield _one(measure, name, judged)


def _one(measure: Measure, subset: str, judged: Judged) -> Score:
    n = len(judged.correct)
    try:
        found = measure(judged)
    except Undefined as why:
        reason = f"undefined: {why}"
        return Score(
            measure.key,
            subset,
            n,
            None,
            note=str(why),
            no_interval=reason,
            version=measure.version,
        )
    return Score(
        measure.key,
        subset,
        n,
        found.value,
        note=found.note,
        no_interval=NO_INTERVAL,
        details=found.details,
        version=measure.version,
    )


def _macro(measure: Measure, parts: Mapping[str, Judged]) -> Score:
    """The unweighted mean over the subsets of a dimension; undefined if it is in one of them."""
    inside = {k: v for k, v in parts.items() if k.startswith(f"{measure.dimension}=")}
    each = [_one(measure, name, judged) for name, judged in inside.items()]
    n = sum(s.n for s in each)
    bad = next((s for s in each if s.value is None), None)
    if bad is not None or not each:
        why = f"undefined in {bad.subset}: {bad.note}" if bad else "the dimension has no subset"
        return Score(
            measure.key, "all", n, None, note=why, no_interval=why, version=measure.version
        )
    notes = "; ".join(f"{s.subset}: {s.note}" for s in each if s.note)
    value = float(np.mean([s.value for s in each]))
    return Score(
        measure.key,
        "all",
        n,
        value,
        note=notes,
        no_interval=NO_INTERVAL,
        details={"subsets": len(each)},
        version=measure.version,
    )


def settings(task: Task, gold: str, run: str) -> str:
    """Everything beside a measure's key that a number depends on: the tail of its signature.

    gold  the version and its commitment, as ``v1:9f…``; ``unversioned`` for a file
    run   the SHA-256 of the run's bytes
    """
    tolerance = f"±{task.tolerance}" if task.answers == "numeric" else ""
    parts = {
        "answers": f"{task.answers}{tolerance}",
        "scale": task.confidence,
        "missing": task.missing,
        "precision": "full" if task.precision is None else task.precision,
        "cluster": task.gold.cluster or "none",
        "reading": _reading(task),
        "gold": gold,
        "run": f"sha256:{run}",
        "resamples": task.resampling.resamples,
        "seed": task.resampling.seed,
        "grader": __version__,
        "numpy": np.__version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _reading(task: Task) -> str:
    """A short digest of which columns of a run are read, of the labels and of the refusals."""
    text = json.dumps((task.abstain, task.labels, asdict(task.run)), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:12]


def signature(score: Score, settings: str) -> str:
    """What a paper quotes for a number to be comparable: measure, version and settings."""
    return f"{score.measure}|version:{score.version}|{settings}"
