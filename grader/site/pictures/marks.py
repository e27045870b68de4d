"""Points on a plane, and their labels where there is room for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grader.site.pictures.axes import Axis
from grader.site.pictures.names import width

Kind = Literal["ranked", "apart", "front"]
Box = tuple[float, float, float, float]
LETTER, HIGH = 5.0, 8.0  # the size of a label's letters
MOST = 60  # labels of a picture
SPARE = 6.0  # that a label may stand out of the frame, above and below
_NEAR = 5.0  # from the middle of a point to its label


@dataclass(frozen=True, slots=True)
class Spot:
    """A point, what it says when pointed at, and the labels it may have, the best first."""

    x: float
    y: float
    kind: Kind
    said: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its label, which is empty where there was no room, at ``tx``, ``ty``."""

    spot: Spot
    label: str = ""
    tx: float = 0.0
    ty: float = 0.0
    anchor: Literal["start", "middle", "end"] = "start"


def marked(spots: Sequence[Spot], across: Axis, up: Axis) -> tuple[Mark, ...]:
    """The points in their order, those that come first labelled first.

    A label hides no point and no other label; at most MOST points are tried.
    """
    frame = (across.start, up.end - SPARE, across.end, up.start + SPARE)
    taken: list[Box] = [(s.x - 3.5, s.y - 3.5, s.x + 3.5, s.y + 3.5) for s in spots]
    return tuple(
        _labelled(spot, frame, taken) if i < MOST else Mark(spot) for i, spot in enumerate(spots)
    )


def _labelled(spot: Spot, frame: Box, taken: list[Box]) -> Mark:
    for label in spot.labels:
        for mark in _places(spot, label):
            box = _box(mark)
            if _within(box, frame) and not any(_meet(box, other) for other in taken):
                taken.append(box)
                return mark
    return Mark(spot)


def _places(spot: Spot, label: str) -> tuple[Mark, ...]:
    x, y = spot.x, spot.y
    return (
        Mark(spot, label, round(x + _NEAR, 1), round(y + 3, 1), "start"),
        Mark(spot, label, round(x - _NEAR, 1), round(y + 3, 1), "end"),
        Mark(spot, label, x, round(y - _NEAR, 1), "middle"),
        Mark(spot, label, x, round(y + _NEAR + HIGH - 1, 1), "middle"),
    )


def _box(mark: Mark) -> Box:
    wide = LETTER * width(mark.label)
    left = mark.tx - {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
    return left, mark.ty - HIGH + 1, left + wide, mark.ty + 1


def _within(box: Box, frame: Box) -> bool:
    return frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
