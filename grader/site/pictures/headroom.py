"""What honest confidences would have scored, beside what was scored."""

from dataclasses import dataclass

from grader.analysis.recalibrate import KEYS
from grader.board import shown
from grader.measures import find
from grader.model import Measure, Reading, Recalibration
from grader.site.pictures.axes import Axis, Columns, axis, placed, window
from grader.site.pictures.picture import Data, Picture, as_shown, number

LEFT, WIDE, TOP, HIGH, GAP = 96.0, 190.0, 18.0, 16.0, 40.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A value as a bar from 0: ``floor`` is what noise alone stays within."""

    said: str
    name: str
    y: float
    x: float | None
    value: str
    floor: float | None
    own: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A measure on a scale of its own, its title at the height ``title``."""

    measure: Measure
    across: Axis
    strokes: tuple[Stroke, ...]
    title: float
    bottom: float

    @property
    def rows(self) -> Columns:
        """Its strokes as they are printed, with the upper ends of their bars and floors."""
        found = self.strokes
        return (
            [s.own for s in found],
            [s.said for s in found],
            [s.name for s in found],
            *placed(
                [s.y for s in found],
                [s.x for s in found],
                [s.y - 5 for s in found],
                [s.floor for s in found],
                [s.y - 7 for s in found],
            ),
            [s.value for s in found],
        )


@dataclass(frozen=True, slots=True)
class Headroom:
    """A panel for each measure, one below the other."""

    panels: tuple[Panel, ...]
    height: float
    width: float = LEFT + WIDE + 50

    @property
    def floors(self) -> bool:
        """Whether a floor is drawn."""
        return any(s.floor is not None for panel in self.panels for s in panel.strokes)


def headroom(found: Recalibration, digits: int) -> Picture | None:
    """The measures before and after recalibration; None where it was not tried."""
    if not found.after:
        return None
    rows = [("as submitted", found.before)]
    rows += [(one.method, one.readings) for one in found.after]
    panels, y = [], 0.0
    for key in KEYS:
        panels.append(_panel(key, rows, y, digits))
        y = panels[-1].bottom + GAP - TOP
    return Picture(
        "recalibration",
        "headroom",
        "Before and after recalibration",
        f"{', '.join(p.measure.title for p in panels)} of the run as submitted and with "
        "confidences learnt on other instances.",
        Headroom(tuple(panels), y + 2),
        Data(
            ("confidences", "measure", "value", "floor 95%"),
            tuple(
                (name, r.measure, number(r.value, digits), number(r.floor_95, digits))
                for name, readings in rows
                for r in readings
            ),
            2,
        ),
    )


def _panel(key: str, rows: list[tuple[str, tuple[Reading, ...]]], y: float, digits: int) -> Panel:
    found = [(name, next((r for r in each if r.measure == key), None)) for name, each in rows]
    values = [
        as_shown(v, digits) for _, r in found if r for v in (r.value, r.floor_95) if v is not None
    ]
    across = axis(window([0.0, *values], (0, 1), 0.02), (LEFT, LEFT + WIDE), digits, 5)
    strokes = tuple(
        _stroke(name, r, (y + TOP + HIGH * (i + 0.5), across), digits)
        for i, (name, r) in enumerate(found)
        if r
    )
    return Panel(find(key), across, strokes, y + 11, y + TOP + HIGH * len(strokes))


def _stroke(name: str, found: Reading, on: tuple[float, Axis], digits: int) -> Stroke:
    y, across = on
    value = shown(found.value, digits)
    floor = None if found.floor_95 is None else across.at(as_shown(found.floor_95, digits))
    noise = "" if found.floor_95 is None else f", noise within {shown(found.floor_95, digits)}"
    return Stroke(
        f"{name}: {value}{noise}",
        name,
        y,
        None if found.value is None else across.at(as_shown(found.value, digits)),
        value,
        floor,
        name == "as submitted",
    )
