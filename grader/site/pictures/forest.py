"""The primary value of each ranked run with its interval, one below the other."""

from dataclasses import dataclass

from grader.board import lead, shown
from grader.model import Measure, Row, Score
from grader.site.pictures.axes import Axis, axis, window
from grader.site.pictures.picture import Data, Picture, as_shown, number
from grader.site.pictures.runs import KEYS, called, keys, said
from grader.site.sheets import Sheet

LEFT, WIDE, TOP = 200.0, 270.0, 26.0
HIGH, LOW = 18.0, 3.0  # of a line that has text, and of one that has none
MOST = 60  # lines with text


@dataclass(frozen=True, slots=True)
class Line:
    """A run at the height ``y``: its value at ``x``, its interval from ``low`` to ``high``.

    A line without text stands for a run beyond the first MOST.
    """

    said: str
    y: float
    x: float
    low: float | None
    high: float | None
    rank: str = ""
    name: str = ""
    value: str = ""
    ranks: str = ""


@dataclass(frozen=True, slots=True)
class Forest:
    """Lines from the best to the worst; ``gap`` is where those without text begin."""

    measure: Measure
    across: Axis
    lines: tuple[Line, ...]
    bottom: float
    ranked: bool
    height: float
    top: float = TOP
    width: float = LEFT + WIDE + 190


def forest(on: Sheet) -> Picture | None:
    """Every ranked run; None if none is."""
    digits, measure = on.results.task.ranking.digits, lead(on.results)
    found = [(row, on.scores[row.entry.slug].get((measure.key, "all"))) for row in on.board.ranked]
    pairs = [(row, s, s.value) for row, s in found if s is not None and s.value is not None]
    if not pairs:
        return None
    across = _across(measure, [s for _, s, _ in pairs], digits)
    lines, y = [], TOP
    for i, (row, score, value) in enumerate(pairs):
        tall = HIGH if i < MOST else LOW
        lines.append(_line(on, row, score, (across, y + tall / 2, value)))
        y += tall
    rows = tuple(_cells(on, row, score, digits) for row, score, _ in pairs)
    told = any(line.ranks for line in lines)
    return Picture(
        "forest",
        "forest",
        f"{measure.title} of the ranked runs",
        f"{measure.title} of {len(pairs)} ranked runs, the best first, each with its 95% interval "
        "where one is sound.",
        Forest(measure, across, tuple(lines), y, told, y + 34),
        Data((*KEYS, "may rank", measure.key, "low", "high"), rows, len(KEYS) + 1),
    )


def _across(measure: Measure, scores: list[Score], digits: int) -> Axis:
    values = [
        as_shown(v, digits) for s in scores for v in (s.value, s.low, s.high) if v is not None
    ]
    span = max(values) - min(values)
    return axis(window(values, measure.bounds, max(span, 0.05)), (LEFT, LEFT + WIDE), digits)


def _ends(score: Score, digits: int) -> tuple[float, float] | None:
    if score.low is None or score.high is None:
        return None
    return as_shown(score.low, digits), as_shown(score.high, digits)


def _line(on: Sheet, row: Row, score: Score, place: tuple[Axis, float, float]) -> Line:
    digits = on.results.task.ranking.digits
    across, y, value = place
    ends = _ends(score, digits)
    text = shown(value, digits)
    if ends:
        text += f" [{shown(ends[0], digits)}, {shown(ends[1], digits)}]"
    ranks = _ranks(on, row)
    may = f"; may rank {ranks}" if ranks else ""
    made = Line(
        f"{said(row)}: {text}{may}",
        y,
        across.at(as_shown(value, digits)),
        across.at(ends[0]) if ends else None,
        across.at(ends[1]) if ends else None,
    )
    if y > TOP + HIGH * MOST:
        return made
    return Line(made.said, y, made.x, made.low, made.high, str(row.rank), called(row), text, ranks)


def _ranks(on: Sheet, row: Row) -> str:
    """The ranks that a run may have; empty if nobody knows."""
    versus = on.results.versus.get("all")
    found = versus.ranks(row.entry.slug) if versus else None
    return "–".join(dict.fromkeys(map(str, found))) if found else ""


def _cells(on: Sheet, row: Row, score: Score, digits: int) -> tuple[str, ...]:
    low, high = _ends(score, digits) or (None, None)
    return (*keys(row), _ranks(on, row), *(number(v, digits) for v in (score.value, low, high)))
