"""The calibration error at every resolution, each beside what noise alone gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.board import shown
from grader.measures import find
from grader.model import Rung
from grader.site.pictures.axes import Axis, Columns, axis, places, window
from grader.site.pictures.picture import Data, Picture, as_shown, number

LEFT, WIDE, TOP, HIGH = 158.0, 190.0, 8.0, 18.0


@dataclass(frozen=True, slots=True)
class Step:
    """An error at the height ``y``: its value at ``x``, noise up to ``most``, its mean.

    ``above``: it is more than noise gives; None where there is no floor.
    """

    said: str
    title: str
    value: str
    y: float
    x: float
    mean: float | None
    most: float | None
    above: bool | None


@dataclass(frozen=True, slots=True)
class Rungs:
    """The errors on one scale from 0, the coarsest first.

    ``noise`` and ``means`` are paths: the stretches of the floors, and their means.
    """

    across: Axis
    steps: tuple[Step, ...]
    noise: str
    means: str
    bottom: float
    height: float
    top: float = TOP
    width: float = LEFT + WIDE + 44

    @property
    def rows(self) -> Columns:
        """Its steps as they are printed."""
        steps = self.steps
        return (
            [bool(s.above) for s in steps],
            [s.said for s in steps],
            [s.title for s in steps],
            places([s.x for s in steps]),
            places([s.y for s in steps]),
            [s.value for s in steps],
        )


def rungs(ladder: Sequence[Rung], digits: int) -> Picture | None:
    """The errors of a ladder beside their floors; None if it has no rung."""
    if not ladder:
        return None
    ends = [as_shown(v, digits) for r in ladder for v in (r.value, r.q95) if v is not None]
    across = axis(window([0.0, *ends], (0, 1), 0.02), (LEFT, LEFT + WIDE), digits)
    bottom = TOP + HIGH * len(ladder)
    places = (TOP + HIGH * (i + 0.5) for i in range(len(ladder)))
    steps = tuple(_step(r, y, across, digits) for r, y in zip(ladder, places, strict=True))
    above = sum(bool(r.above) for r in ladder)
    return Picture(
        "ladder",
        "rungs",
        "Calibration error at every resolution",
        f"{len(ladder)} calibration errors on one scale, each with the stretch that noise alone "
        f"stays within in 95% of cases; {above} lie beyond it.",
        Rungs(
            across,
            steps,
            "".join(_noise(across.start, s) for s in steps if s.most is not None),
            "".join(f"M{s.mean} {s.y - 6}v12" for s in steps if s.mean is not None),
            bottom,
            bottom + 34,
        ),
        Data(
            ("error", "above the floor", "value", "floor mean", "floor 95%"),
            tuple(_cells(r, digits) for r in ladder),
            2,
        ),
    )


def _noise(start: float, step: Step) -> str:
    return f"M{start} {step.y - 6}H{step.most}v12H{start}z"


def _step(rung: Rung, y: float, across: Axis, digits: int) -> Step:
    def place(value: float | None) -> float | None:
        return None if value is None else across.at(as_shown(value, digits))

    title = find(rung.measure).title
    floor = "no floor" if rung.q95 is None else f"noise stays within {shown(rung.q95, digits)}"
    return Step(
        said=f"{title} {shown(rung.value, digits)}; {floor}",
        title=title,
        value=shown(rung.value, digits),
        y=y,
        x=across.at(as_shown(rung.value, digits)),
        mean=place(rung.mean),
        most=place(rung.q95),
        above=rung.above,
    )


def _cells(rung: Rung, digits: int) -> tuple[str, ...]:
    above = {None: "", True: "yes", False: "no"}[rung.above]
    return rung.measure, above, *(number(v, digits) for v in (rung.value, rung.mean, rung.q95))
