"""Where a pooled AUROC comes from: within each subset, and across two."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grader.board import shown
from grader.model import Cross, Pooling
from grader.site.addresses import phases as slugs
from grader.site.pictures.axes import Axis, Columns, axis, places, window
from grader.site.pictures.names import clipped, isolated
from grader.site.pictures.picture import Data, Picture, as_shown, number

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
        return (
            *(whole, said, names, places(ys), places(xs), places([y - 5 for y in ys]), values),
            *(places([y - 4 for y in ys]), places(shares), places([end + s for s in shares])),
            percents,
        )


def aurocs(found: Sequence[Pooling], digits: int) -> tuple[Picture, ...]:
    """A picture for each dimension."""
    named = slugs([p.dimension for p in found])
    return tuple(_auroc(p, slug, digits) for p, slug in zip(found, named, strict=True))


def _auroc(found: Pooling, slug: str, digits: int) -> Picture:
    inside = [c for c in found.crosses if c.right == c.wrong]
    lines = [("within a subset", found.within), ("across two", found.across)]
    each = (c.auroc for c in (*inside, found.within, found.across))
    values = [as_shown(value, digits) for value in each if value is not None]
    pooled = as_shown(found.pooled, digits)
    across = axis(window([*values, pooled], (0, 1), 0.2), (LEFT, LEFT + WIDE), digits)
    rows = [*lines, *((c.right, c) for c in inside)]
    parts = tuple(
        _part(name, cross, (found.pairs, TOP + HIGH * (i + 0.5), across), digits)
        for i, (name, cross) in enumerate(rows)
    )
    bottom = TOP + HIGH * len(rows)
    half = across.at(0.5) if across.low <= 0.5 <= across.high else None
    return Picture(
        f"auroc-{slug}",
        "auroc",
        f"AUROC by {found.dimension}",
        f"AUROC of right against wrong answers within and across the subsets of "
        f"{isolated(found.dimension)}; pooled it is {shown(found.pooled, digits)}.",
        Auroc(across, parts, across.at(pooled), half, bottom, bottom + 34),
        Data(
            ("right answers of", "wrong answers of", "auroc", "percent of pairs"),
            tuple(_cells(found, digits)),
            2,
        ),
    )


def _part(name: str, cross: Cross, on: tuple[int, float, Axis], digits: int) -> Part:
    pairs, y, across = on
    share = cross.pairs / pairs
    value, percent = shown(cross.auroc, digits), f"{shown(100 * share, 1)}%"
    told = name if not cross.right else isolated(name)
    return Part(
        f"{told}: AUROC {value}, {percent} of the pairs",
        clipped(name, 22),
        y,
        None if cross.auroc is None else across.at(as_shown(cross.auroc, digits)),
        value,
        round(SHARE * share, 1),
        percent,
        whole=not cross.right,
    )


def _cells(found: Pooling, digits: int) -> list[tuple[str, ...]]:
    named = [("(within)", "(within)", found.within), ("(across)", "(across)", found.across)]
    named += [(c.right, c.wrong, c) for c in found.crosses]
    return [
        (right, wrong, number(c.auroc, digits), shown(100 * c.pairs / found.pairs, 1))
        for right, wrong, c in named
    ]
