"""The calibration error at every resolution, each beside what noise alone gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.board import shown_each
from grader.measures import find
from grader.model import Rung
from grader.site.pictures.axes import Axis, Columns, axis, placed, window
from grader.site.pictures.picture import Data, Picture

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
            *placed(
                [s.x for s in steps],
                [s.y for s in steps],
            ),
            [s.value for s in steps],
        )


def rungs(ladder: Sequence[Rung], digits: int) -> Picture | None:
    """The errors of a ladder beside their floors; None if it has no rung."""
    if not ladder:
        return None
    columns = [r.value for r in ladder], [r.mean for r in ladder], [r.q95 for r in ladder]
    values, means, mosts = (shown_each(column, digits) for column in columns)
    ends = [float(text) for text in (*values, *mosts) if text]
    across = axis(window([0.0, *ends], (0, 1), 0.02), (LEFT, LEFT + WIDE), digits)
    bottom = TOP + HIGH * len(ladder)
    names = [r.measure for r in ladder]
    steps = _steps(ladder, across, (values, means, mosts))
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
            tuple(zip(names, map(_above, ladder), values, means, mosts, strict=True)),
            2,
        ),
    )


def _noise(start: float, step: Step) -> str:
    return f"M{start} {step.y - 6}H{step.most}v12H{start}z"


def _steps(
    ladder: Sequence[Rung], across: Axis, printed: tuple[Sequence[str], ...]
) -> tuple[Step, ...]:
    """The errors on an axis; printed: their values, and the means and ends of their floors."""
    values, means, mosts = printed
    titles = [find(rung.measure).title for rung in ladder]
    floors = [f"noise stays within {most}" if most else "no floor" for most in mosts]
    said = zip(titles, values, floors, strict=True)
    return tuple(
        map(
            Step,
            [f"{title} {value}; {floor}" for title, value, floor in said],
            titles,
            values,
            [TOP + HIGH * (i + 0.5) for i in range(len(ladder))],
            [across.at(float(value)) for value in values],
            across.along(means),
            across.along(mosts),
            [rung.above for rung in ladder],
        )
    )


def _above(rung: Rung) -> str:
    return {None: "", True: "yes", False: "no"}[rung.above]
