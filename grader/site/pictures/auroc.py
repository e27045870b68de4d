"""Where a pooled AUROC comes from: within each subset, and across two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from grader.board import shown, shown_each
from grader.model import Cross, Pooling
from grader.site.pictures.axes import Axis, Columns, axis, placed, window
from grader.site.pictures.names import clipped, isolated
from grader.site.pictures.picture import Data, Picture, as_shown

LEFT, WIDE, TOP, HIGH, GAP, SHARE = 132.0, 170.0, 22.0, 18.0, 6.0, 60.0


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


class Group(NamedTuple):
    """A dimension and its parts, all pairs within and across first.

    Its pooled value is a line at ``pooled``, from ``top`` to ``bottom``; its name is above that.
    """

    name: str
    said: str
    pooled: float
    top: float
    bottom: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Auroc:
    """Dimensions below each other on one scale; ``half`` is where a guess would be."""

    across: Axis
    groups: tuple[Group, ...]
    half: float | None
    bottom: float
    height: float
    top: float = TOP
    width: float = LEFT + WIDE + SHARE + 76

    @property
    def heads(self) -> Columns:
        """Its dimensions as they are printed."""
        names, said, pooled, tops, bottoms, _ = zip(*self.groups, strict=True)
        ys = [top - HIGH / 2 for top in tops]
        return names, said, *placed(pooled, ys, tops, bottoms)

    @property
    def rows(self) -> Columns:
        """Its parts as they are printed, each with the corners of its mark and of its share."""
        parts = chain.from_iterable(group.parts for group in self.groups)
        said, names, ys, xs, values, shares, percents, whole = zip(*parts, strict=True)
        end = self.across.end + 44
        tips, highs, ends = [y - 5 for y in ys], [y - 4 for y in ys], [end + s for s in shares]
        return whole, said, names, values, percents, *placed(ys, xs, tips, highs, shares, ends)


def auroc(found: Sequence[Pooling], digits: int) -> Picture | None:
    """All dimensions; None if there are none."""
    if not found:
        return None
    values = [shown_each([c.auroc for c in _crosses(p)], digits) for p in found]
    pooled = [as_shown(p.pooled, digits) for p in found]
    known = [float(value) for value in chain.from_iterable(values) if value]
    across = axis(window([*known, *pooled], (0, 1), 0.2), (LEFT, LEFT + WIDE), digits)
    groups = tuple(_groups(found, values, across, digits))
    names = ", ".join(isolated(p.dimension) for p in found)
    told = ", ".join(dict.fromkeys(shown(p.pooled, digits) for p in found))
    return Picture(
        "auroc",
        "auroc",
        "AUROC within and across subsets",
        f"AUROC of right against wrong answers within and across subsets, by {names}; pooled it "
        f"is {told}.",
        Auroc(
            across,
            groups,
            across.at(0.5) if across.low <= 0.5 <= across.high else None,
            groups[-1].bottom,
            groups[-1].bottom + 34,
        ),
        Data(
            ("dimension", "right answers of", "wrong answers of", "auroc", "percent of pairs"),
            tuple(chain.from_iterable(_cells(p, digits) for p in found)),
            3,
        ),
    )


def _crosses(found: Pooling) -> list[Cross]:
    """All pairs within a subset, all across two, and those within each."""
    return [found.within, found.across, *(c for c in found.crosses if c.right == c.wrong)]


def _groups(
    found: Sequence[Pooling], values: Sequence[Sequence[str]], across: Axis, digits: int
) -> Iterator[Group]:
    """Yield the dimensions from the top down; ``values`` are their AUROCs as shown."""
    bottom = TOP - GAP
    for one, texts in zip(found, values, strict=True):
        top = bottom + GAP + HIGH
        bottom = top + HIGH * len(texts)
        name, pooled = clipped(one.dimension, 22), as_shown(one.pooled, digits)
        told = f"pooled {shown(one.pooled, digits)}"
        yield Group(name, told, across.at(pooled), top, bottom, _parts(one, texts, across, top))


def _parts(found: Pooling, values: Sequence[str], across: Axis, top: float) -> tuple[Part, ...]:
    """All pairs within, across, and those of each subset, from ``top`` on."""
    whole, pairs, crosses = ("within a subset", "across two"), found.pairs, _crosses(found)
    names = [c.right for c in crosses[2:]]
    shares = [c.pairs / pairs for c in crosses]
    percents = [f"{share}%" for share in shown_each([100 * s for s in shares], 1)]
    shown_values = [value or shown(None, 0) for value in values]
    told = zip((*whole, *map(isolated, names)), shown_values, percents, strict=True)
    return tuple(
        map(
            Part,
            [f"{name}: AUROC {value}, {percent} of the pairs" for name, value, percent in told],
            [clipped(name, 22) for name in (*whole, *names)],
            [top + HIGH * (i + 0.5) for i in range(len(crosses))],
            across.along(values),
            shown_values,
            [round(SHARE * share, 1) for share in shares],
            percents,
            [True, True, *([False] * len(names))],
        )
    )


def _cells(found: Pooling, digits: int) -> Iterator[tuple[str, ...]]:
    """The rows of the data: all pairs within and across, then those of two subsets each."""
    crosses, pairs = (found.within, found.across, *found.crosses), found.pairs
    return zip(
        [found.dimension] * len(crosses),
        ["(within)", "(across)", *(c.right for c in found.crosses)],
        ["(within)", "(across)", *(c.wrong for c in found.crosses)],
        shown_each([c.auroc for c in crosses], digits),
        shown_each([100 * c.pairs / pairs for c in crosses], 1),
        strict=True,
    )
