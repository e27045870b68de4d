"""Accuracy and HMR of every run on a plane, and the front that no run beats."""

from dataclasses import dataclass
from itertools import pairwise

from grader.board import shown
from grader.model import Row
from grader.site.analyses import FRONT
from grader.site.analyses import front as best
from grader.site.pictures.axes import Axis, axis, line, window
from grader.site.pictures.marks import MOST, Box, Kind, Mark, Spot, marked
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.runs import KEYS, NAMED, drawn_rows, keys, labels, rewards, said
from grader.site.sheets import Sheet

WIDE, TALL, LEFT, TOP = 340.0, 280.0, 46.0, 18.0
LEAST = 0.1  # the least stretch of an axis
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Front:
    """Accuracy to the right, HMR upwards; ``path`` steps along the front."""

    across: Axis
    up: Axis
    path: str
    marks: tuple[Mark, ...]
    width: float = LEFT + WIDE + 14
    height: float = TOP + TALL + 40


def front(on: Sheet) -> Picture | None:
    """Every run that has an accuracy and an HMR; None if none has."""
    digits = on.results.task.ranking.digits
    found = list(_points(on, digits))
    if not found:
        return None
    ahead = {row.entry.slug for row in best(on, None, *on.columns(None, FRONT))}
    across = axis(window([x for _, x, _ in found], (0, 1), LEAST), (LEFT, LEFT + WIDE), digits)
    up = axis(window([y for *_, y in found], (0, 1), LEAST), (TOP + TALL, TOP), digits)
    most = max(NAMED, len(ahead)) if len(found) > MOST else MOST  # of many the front before all
    spots = [
        Spot(
            across.at(x),
            up.at(y),
            _kind(row, ahead),
            _said(row, x, y, digits),
            labels(row, i) if i < most else (),
        )
        for i, (row, x, y) in enumerate(sorted(found, key=lambda f: f[0].entry.slug not in ahead))
    ]
    steps = _steps([(s.x, s.y) for s in spots if s.kind == "front"], across, up)
    rows = tuple(
        (*keys(row), "yes" if row.entry.slug in ahead else "", shown(x, digits), shown(y, digits))
        for row, x, y in found
    )
    return Picture(
        "accuracy-hmr",
        "front",
        "Accuracy and HMR of every run",
        f"HMR against accuracy of {len(found)} runs; {len(ahead)} of the ranked ones are on the "
        "front: no ranked run is as good in both and better in one.",
        Front(
            across,
            up,
            line(steps) if steps else "",
            marked(spots, across, up, [_between(*ends) for ends in pairwise(steps)]),
        ),
        Data((*KEYS, "front", "accuracy", "hmr"), rows, len(KEYS) + 1),
    )


def _points(on: Sheet, digits: int) -> "list[tuple[Row, float, float]]":
    found = []
    for row in drawn_rows(on):
        accuracy = on.scores[row.entry.slug].get(("accuracy", "all"))
        made = rewards(row.entry)
        if made and accuracy and accuracy.value is not None:
            found.append((row, as_shown(accuracy.value, digits), as_shown(made.hmr, digits)))
    return found


def _kind(row: Row, ahead: set[str]) -> Kind:
    if row.rank is None:
        return "apart"
    return "front" if row.entry.slug in ahead else "ranked"


def _said(row: Row, x: float, y: float, digits: int) -> str:
    return f"{said(row)}: accuracy {shown(x, digits)}, HMR {shown(y, digits)}"


def _steps(front: list[Place], across: Axis, up: Axis) -> list[Place]:
    """Along the front from the left edge to the bottom: what lies below it is beaten."""
    found = [(across.start, min(y for _, y in front))] if front else []
    for (x, y), (_, after) in pairwise([*sorted(set(front)), (0.0, up.start)]):
        found += [(x, y), (x, after)]
    return found


def _between(one: Place, other: Place) -> Box:
    """A level or upright line as a box without width."""
    (x, y), (right, low) = sorted((one, other))
    return x, min(y, low), right, max(y, low)
