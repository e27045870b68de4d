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
ABOVE, BESIDE, BELOW = 16.0, 12.0, 6.0  # that a label may stand out of the frame
_CLEAR = 1.5  # around a label: its halo
_REACH = {"ranked": 3.5, "apart": 3.5, "front": 5.5}  # of a point from its middle
_SMALL = 1.8  # the same of one among many


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
    """A point with its label, which is empty where there was no room, at ``tx``, ``ty``.

    ``small``: one of many, and nothing stands beside it.
    """

    spot: Spot
    label: str = ""
    tx: float = 0.0
    ty: float = 0.0
    anchor: Literal["start", "middle", "end"] = "start"
    small: bool = False


def marked(
    spots: Sequence[Spot], across: Axis, up: Axis, others: Sequence[Box] = ()
) -> tuple[Mark, ...]:
    """The points in their order, those that come first labelled first.

    A label hides no point, no other label and nothing that ``others`` hold; at most MOST points
    are tried. Of more points than that those without a label are small, but for the front.
    """
    frame = (across.start, up.end - ABOVE, across.end + BESIDE, up.start + BELOW)
    many = len(spots) > MOST
    taken = [*(_around(spot, many=many) for spot in spots), *others]
    return tuple(
        _labelled(spot, frame, taken, many=many)
        if i < MOST
        else Mark(spot, small=spot.kind != "front")
        for i, spot in enumerate(spots)
    )


def clear(box: Box, spots: Sequence[Spot]) -> bool:
    """Whether none of the points is within a box."""
    return not any(_meet(box, _around(spot, many=len(spots) > MOST)) for spot in spots)


def _around(spot: Spot, *, many: bool) -> Box:
    reach = _SMALL if many and spot.kind != "front" else _REACH[spot.kind]
    return spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach


def _labelled(spot: Spot, frame: Box, taken: list[Box], *, many: bool) -> Mark:
    for label in spot.labels:
        for mark in _places(spot, label):
            box = _box(mark)
            if _within(box, frame) and not any(_meet(box, other) for other in taken):
                taken.append(box)
                return mark
    return Mark(spot, small=many and spot.kind != "front")


def _places(spot: Spot, label: str) -> tuple[Mark, ...]:
    x, y, near = spot.x, spot.y, _REACH[spot.kind] + _CLEAR
    return (
        Mark(spot, label, round(x + near, 1), round(y + 3, 1), "start"),
        Mark(spot, label, round(x - near, 1), round(y + 3, 1), "end"),
        Mark(spot, label, x, round(y - near - 2, 1), "middle"),
        Mark(spot, label, x, round(y + near + HIGH, 1), "middle"),
        Mark(spot, label, round(x + near, 1), round(y - near, 1), "start"),
    )


def _box(mark: Mark) -> Box:
    wide = LETTER * width(mark.label)
    left = mark.tx - {"start": 0.0, "middle": wide / 2, "end": wide}[mark.anchor]
    return left - _CLEAR, mark.ty - HIGH, left + wide + _CLEAR, mark.ty + 2


def _within(box: Box, frame: Box) -> bool:
    return frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
