"""Where a pooled AUROC comes from: within each subset, and across two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.board import shown, shown_each
from grader.model import Cross, Pooling
from grader.site.addresses import phases as slugs
from grader.site.pictures.axes import Axis, Columns, axis, placed, window
from grader.site.pictures.names import clipped, isolated
from grader.site.pictures.picture import Data, Picture, as_shown

LEFT, WIDE, TOP, HIGH, SHARE = 132.0, 170.0, 22.0, 18.0, 60.0


class Part(NamedTuple):
    """Pairs of answers at the height ``y``: their AUROC at ``x``, and ``share`` of all pairs."""

    said: str
    name: str
    y: float
    x: float | None
    value: str
    share: float
    percent: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Auroc:
    """The pooled value as a line, all pairs within and across, and each subset by itself."""

    across: Axis
    parts: tuple[Part, ...]
    pooled: float
    half: float | None
    bottom: float
    height: float
    top: float = TOP
    width: float = LEFT + WIDE + SHARE + 76

    @property
    def rows(self) -> Columns:
        """Its parts as they are printed, each with the corners of its mark and of its share."""
        said, names, ys, xs, values, shares, percents, whole = zip(*self.parts, strict=True)
        end = self.across.end + 44
        tips, highs, ends = [y - 5 for y in ys], [y - 4 for y in ys], [end + s for s in shares]
        return whole, said, names, values, percents, *placed(ys, xs, tips, highs, shares, ends)


def aurocs(found: Sequence[Pooling], digits: int) -> tuple[Picture, ...]:
    """A picture for each dimension."""
    named = slugs([p.dimension for p in found])
    return tuple(_auroc(p, slug, digits) for p, slug in zip(found, named, strict=True))


def _auroc(found: Pooling, slug: str, digits: int) -> Picture:
    inside = [c for c in found.crosses if c.right == c.wrong]
    crosses = [found.within, found.across, *inside]
    values = shown_each([c.auroc for c in crosses], digits)
    pooled = as_shown(found.pooled, digits)
    known = [float(value) for value in values if value]
    across = axis(window([*known, pooled], (0, 1), 0.2), (LEFT, LEFT + WIDE), digits)
    bottom = TOP + HIGH * len(crosses)
    half = across.at(0.5) if across.low <= 0.5 <= across.high else None
    return Picture(
        f"auroc-{slug}",
        "auroc",
        f"AUROC by {found.dimension}",
        f"AUROC of right against wrong answers within and across the subsets of "
        f"{isolated(found.dimension)}; pooled it is {shown(found.pooled, digits)}.",
        Auroc(
            across,
            _parts(found, inside, values, across),
            across.at(pooled),
            half,
            bottom,
            bottom + 34,
        ),
        Data(
            ("right answers of", "wrong answers of", "auroc", "percent of pairs"),
            tuple(_cells(found, digits)),
            2,
        ),
    )


def _parts(
    found: Pooling, inside: Sequence[Cross], values: Sequence[str], across: Axis
) -> tuple[Part, ...]:
    """All pairs within, across, and those of each subset; ``values`` are their AUROCs as shown."""
    whole, pairs = ("within a subset", "across two"), found.pairs
    names, crosses = [c.right for c in inside], [found.within, found.across, *inside]
    shares = [c.pairs / pairs for c in crosses]
    percents = [f"{share}%" for share in shown_each([100 * s for s in shares], 1)]
    shown_values = [value or shown(None, 0) for value in values]
    told = zip((*whole, *map(isolated, names)), shown_values, percents, strict=True)
    return tuple(
        map(
            Part,
            [f"{name}: AUROC {value}, {percent} of the pairs" for name, value, percent in told],
            [clipped(name, 22) for name in (*whole, *names)],
            [TOP + HIGH * (i + 0.5) for i in range(len(crosses))],
            across.along(values),
            shown_values,
            [round(SHARE * share, 1) for share in shares],
            percents,
            [True, True, *([False] * len(inside))],
        )
    )


def _cells(found: Pooling, digits: int) -> Iterator[tuple[str, ...]]:
    """The rows of the data: all pairs within and across, then those of two subsets each."""
    crosses, pairs = (found.within, found.across, *found.crosses), found.pairs
    return zip(
        ["(within)", "(across)", *(c.right for c in found.crosses)],
        ["(within)", "(across)", *(c.wrong for c in found.crosses)],
        shown_each([c.auroc for c in crosses], digits),
        shown_each([100 * c.pairs / pairs for c in crosses], 1),
        strict=True,
    )
