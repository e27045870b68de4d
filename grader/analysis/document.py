"""An analysis as plain data, for scripts: what is kept of it, and what is worked out from it."""

from collections.abc import Iterable, Iterator, Sequence

from grader.analysis.ladder import said as of_rung
from grader.analysis.pooling import warning
from grader.analysis.recalibrate import said as of_recalibration
from grader.analysis.references import TITLES
from grader.analysis.verdict import words
from grader.model import (
    Analysis,
    Bin,
    Cross,
    Flagged,
    Kept,
    Pooling,
    Reach,
    Reading,
    Recalibration,
    Reference,
    Rung,
    Scope,
    Selective,
    Verdict,
)

Record = dict[str, object]


def document(found: Analysis, bins: Sequence[Bin], digits: int) -> Record:
    """The analysis in lists and mappings of text, numbers, booleans and None, as JSON has them.

    A number that is undefined, or that the viewer may not see, is None; values have all digits.

    bins    the reliability diagram that is shown beside it
    digits  decimals in sentences, which stand under ``says``
    """
    after = found.recalibration
    return {
        "reliability": [_bin(at, one, len(bins)) for at, one in enumerate(bins)],
        "ladder": [_rung(rung, digits) for rung in found.ladder],
        "verdict": _verdict(found.verdict, digits),
        "pooling": [_pooling(p, digits) for p in found.poolings],
        "selective": _selective(found.selective),
        "scope": _scope(found.scope) if found.scope else None,
        "recalibration": {
            "folds": after.folds,
            "reason": after.reason or None,
            "rows": [
                {"confidences": name, "temperature": warm, "measures": _readings(readings)}
                for name, warm, readings in _learnt(after)
            ],
            "says": of_recalibration(after, digits),
        },
        "references": [_reference(one) for one in found.references],
    }


def _bin(at: int, found: Bin, many: int) -> Record:
    """An equal-width bin; the lowest also holds its lower end."""
    mean = found.confidence if found.n else None
    accuracy = found.accuracy if found.n else None
    ends = {"above": at / many, "up_to": (at + 1) / many}
    return ends | {"n": found.n, "confidence": mean, "accuracy": accuracy}


def _rung(rung: Rung, digits: int) -> Record:
    return {
        "measure": rung.measure,
        "value": rung.value,
        "floor_mean": rung.mean,
        "floor_95": rung.q95,
        "above_floor": rung.above,
        "says": of_rung(rung, digits),
    }


def _verdict(found: Verdict, digits: int) -> Record:
    return {
        "r_o": found.r_o,
        "r_u": found.r_u,
        "hmr": found.hmr,
        "difference": found.r_u - found.r_o,
        "low": found.low,
        "high": found.high,
        "note": found.note or None,
        "no_interval": found.reason or None,
        "says": words(found, digits),
    }


def _pooling(found: Pooling, digits: int) -> Record:
    return {
        "dimension": found.dimension,
        "pooled": found.pooled,
        "highest": found.highest,
        "trap": found.trap,
        "within": _pairs(found.within),
        "across": _pairs(found.across),
        "every_pair_listed": found.listed,
        "crosses": [{"right": c.right, "wrong": c.wrong} | _pairs(c) for c in found.crosses],
        "says": warning(found, digits) or None,
    }


def _pairs(cross: Cross) -> Record:
    return {"pairs": cross.pairs, "wins": cross.wins, "auroc": cross.auroc}


def _selective(found: Selective) -> Record:
    return {
        "n": found.n,
        "points": [_kept(point, found.n) for point in found.points],
        "thresholds": [_reach(reach, found.n) for reach in found.reaches],
    }


def _reach(found: Reach, n: int) -> Record:
    return {"at_least": found.percent / 100} | _kept(found.at, n)


def _kept(point: Kept | None, n: int) -> Record:
    """A point of the curve; every number is None where no threshold reaches it."""
    if point is None:
        return dict.fromkeys(("threshold", "kept", "right", "coverage", "accuracy"))
    return {
        "threshold": point.threshold,
        "kept": point.kept,
        "right": point.right,
        "coverage": point.kept / n,
        "accuracy": point.accuracy,
    }


def _scope(found: Scope) -> Record:
    return {
        "label": found.label,
        "by": found.by,
        "n": found.n,
        "sought": found.sought,
        "auroc": found.auroc,
        "rows": [_flagged(row, found.sought) for row in found.rows],
    }


def _flagged(row: Flagged, sought: int) -> Record:
    known = row.caught is not None
    return {
        "threshold": row.threshold,
        "flagged": row.flagged,
        "caught": row.caught,
        "precision": (row.caught or 0) / row.flagged if known and row.flagged else None,
        "recall": (row.caught or 0) / sought if known and sought else None,
    }


Learnt = tuple[str, float | None, tuple[Reading, ...]]


def _learnt(found: Recalibration) -> Iterator[Learnt]:
    """Yield the name, temperature and readings of the run as it is, and of each recalibration."""
    yield "as submitted", None, found.before
    for one in found.after:
        yield one.method, one.temperature, one.readings


def _reference(found: Reference) -> Record:
    return {
        "key": found.key,
        "title": TITLES[found.key],
        "measures": _readings(found.readings),
    }


def _readings(found: Iterable[Reading]) -> Record:
    return {
        r.measure: {
            "value": r.value,
            "floor_mean": r.floor_mean,
            "floor_95": r.floor_95,
            "note": r.note or None,
        }
        for r in found
    }


def tables(found: Analysis, digits: int) -> dict[str, list[Record]]:
    """The analysis as flat rows: a table each, empty where that means nothing for this run.

    digits  decimals in sentences
    """
    whole, after = found.selective, found.recalibration
    return {
        "verdict": [_verdict(found.verdict, digits)],
        "ladder": [_rung(rung, digits) for rung in found.ladder],
        "pooling": [row for pooling in found.poolings for row in _crossed(pooling)],
        "curve": [_kept(point, whole.n) for point in whole.points],
        "thresholds": [_reach(reach, whole.n) for reach in whole.reaches],
        "scope": [_flagged(r, found.scope.sought) for r in found.scope.rows]
        if found.scope
        else [],
        "recalibration": [
            {"confidences": name, "temperature": warm} | _values(readings)
            for name, warm, readings in _learnt(after)
        ],
        "references": [
            {"confidences": TITLES[r.key]} | _values(r.readings) for r in found.references
        ],
    }


def _crossed(found: Pooling) -> Iterator[Record]:
    """Yield a row for each listed pair of subsets, and for all pairs within and across."""
    named = [(c.right, c.wrong, c) for c in found.crosses]
    named += [("(within)", "(within)", found.within), ("(across)", "(across)", found.across)]
    for right, wrong, cross in named:
        yield {"dimension": found.dimension, "right": right, "wrong": wrong} | _pairs(cross)


def _values(found: Iterable[Reading]) -> Record:
    return {r.measure: r.value for r in found}
