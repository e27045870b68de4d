"""The rows of boards as HTML: there are very many, so their macros are patterns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from markupsafe import Markup, escape

from grader.site.boards import Place
from grader.site.cells import Cell, hint, sort, span
from grader.site.patterns import Pattern
from grader.site.sheets import has_page
from grader.site.sparks import Spark
from grader.site.strips import Strip
from grader.site.tables import Matrix
from grader.site.versus import Against

ROOM = "macros/rows.html"
_Drawn = Sequence[tuple[Cell, Strip | None]]


@dataclass(frozen=True, slots=True)
class Rows:
    """The patterns of a row and of what stands in it."""

    row: Pattern
    who: Pattern
    flag: Pattern
    cell: Pattern
    plain: Pattern
    spark: Pattern
    scored: Pattern
    told: Pattern
    across: Pattern

    def rows(
        self, lines: Sequence[Place], ways: tuple[str, str], extras: Sequence[str], *, sparks: bool
    ) -> Markup:
        """The rows of a board.

        ways    to the root of the site, and to the folder of the task
        extras  what each cell's class has beside others, but for the first
        sparks  whether the board has a column of reliability diagrams
        """
        cells = zip(*(line.cells for line in lines), strict=True)
        strips = zip(*(line.strips for line in lines), strict=True)
        each = enumerate(zip(cells, strips, (" primary", *extras), strict=False))
        columns = [self._column(*one, spans=not i) for i, one in each]
        none = [""] * len(lines)
        printed = (
            self._who(lines, ways),
            columns[0],
            [self._spark(line.spark) for line in lines] if sparks else none,
            list(map("".join, zip(none, *columns[1:], strict=True))),
            self._n(lines),
        )
        return Markup("".join(self._rows(lines, printed)))  # noqa: S704, of macros, and escaped

    def versus(self, lines: Sequence[Against]) -> Markup:
        """The rows of a board, each against the one above it."""
        found = (
            [_text(line.team) for line in lines],
            [_text(line.name) for line in lines],
            [str(line.rank) for line in lines],
            [line.ranks for line in lines],
            [line.difference for line in lines],
            [line.interval for line in lines],
            [_text(line.p) for line in lines],
            [_text(line.verdict) for line in lines],
        )
        return Markup("".join(self.told.each((), found)))  # noqa: S704, as above

    def matrix(self, grid: Matrix, home: str) -> Markup:
        """The rows of runs by subsets; ``home`` is the way to the folder of the task."""
        entries, many = [row.entry for row in grid.rows], len(grid.rows)
        found = (
            [entry.slug for entry in entries],
            [_text(entry.team) for entry in entries],
            [_text(entry.name) for entry in entries],
            ["".join(map(self._flag, sorted(entry.flags.items()))) for entry in entries],
            list(map("".join, zip(*map(self._plain, grid.columns), strict=True))),
        )
        apart = [not row.rank for row in grid.rows]
        return Markup("".join(self.across.each(([home] * many, apart), found)))  # noqa: S704

    def _plain(self, cells: Sequence[Cell]) -> list[str]:
        """The cells of a column that tell no intervals: few of a long one differ."""
        few = tuple(set(cells))
        known = dict(zip(few, self._scores(few, "", spans=False), strict=True))
        return [known[cell] for cell in cells]

    def cells(self, drawn: _Drawn, extras: Sequence[str]) -> Markup:
        """Cells with their strips, as in a row."""
        each = zip(drawn, extras, strict=False)
        made = (self._column((one,), (strip,), extra, spans=False) for (one, strip), extra in each)
        return Markup("".join(chain.from_iterable(made)))  # noqa: S704, as above

    def score(self, cell: Cell, extra: str = "", *, spans: bool = False) -> Markup:
        """A cell without a strip; ``spans``: with its interval, or why it has none."""
        return Markup("".join(self._scores((cell,), extra, spans=spans)))  # noqa: S704, as above

    def lines(self, rows: Sequence[Sequence[Cell]], *, spans: bool = False) -> list[Markup]:
        """The cells of each of some rows."""
        made = iter(self._scores(tuple(chain.from_iterable(rows)), "", spans=spans))
        return [Markup("".join(islice(made, len(row)))) for row in rows]  # noqa: S704, as above

    def _scores(self, cells: Sequence[Cell], extra: str, *, spans: bool) -> list[str]:
        """Cells without strips; ``spans``: with their intervals, or why they have none."""
        if not cells:
            return []
        texts, marks, notes, best, bins, lows, highs, whys, floors, within, noises = zip(
            *cells, strict=True
        )
        none = [""] * len(cells)
        hints = map(_unspanned, notes, lows, marks, whys) if spans else notes
        return self.plain.each(
            ([extra] * len(cells), best, marks, within),
            (
                list(map(sort, texts, marks)),
                list(map(_text, hints)),
                list(map(_text, notes)),
                texts,
                ["" if many is None else f"{many:,}" for many in bins],
                list(map(span, lows, highs)) if spans else none,
                noises,
                floors,
            ),
        )

    def _rows(self, lines: Sequence[Place], printed: Sequence[Sequence[str]]) -> list[str]:
        """Rows of what is printed in each: who, the primary, the diagram, other cells, and n."""
        entries, against = [line.row.entry for line in lines], [line.against for line in lines]
        signs = [one.sign if one else "" for one in against]
        said = zip(against, signs, strict=True)
        return self.row.each(
            ([sign == "≠" for sign in signs], [line.scored for line in lines]),
            (
                [entry.slug for entry in entries],
                [entry.team_slug for entry in entries],
                [str(line.row.rank or "") for line in lines],
                [one.ranks if one and one.ranks != "–" else "" for one in against],
                signs,
                [_text(one.said) if one and sign else "" for one, sign in said],
                *printed,
            ),
        )

    def _who(self, lines: Sequence[Place], ways: tuple[str, str]) -> list[str]:
        entries, many = [line.row.entry for line in lines], len(lines)
        pages, ahead = [has_page(entry) for entry in entries], [line.ahead for line in lines]
        return self.who.each(
            (*([way] * many for way in ways), pages, ahead),
            (
                [entry.slug for entry in entries],
                [entry.team_slug for entry in entries],
                [_text(entry.team) for entry in entries],
                [_text(entry.name) for entry in entries],
                ["".join(map(self._flag, line.flags)) for line in lines],
                [_text(line.row.why) for line in lines],
            ),
        )

    def _flag(self, one: tuple[str, str]) -> str:
        name, why = one
        return self.flag((), (_text(name), _text(why)))

    def _column(
        self, cells: Sequence[Cell], strips: Sequence[Strip | None], extra: str, *, spans: bool
    ) -> list[str]:
        """The cells of a column with their strips; ``spans``: with their intervals."""
        texts, marks, notes, best, bins, lows, highs, whys, floors, within, noises = zip(
            *cells, strict=True
        )
        intervals, none = list(map(span, lows, highs)), [""] * len(cells)
        hints = map(hint, intervals, marks, notes, whys)
        each = zip(hints, notes, whys, strict=True)
        return self.cell.each(
            ([extra] * len(cells), best, marks, within),
            (
                list(map(sort, texts, marks)),
                [_text(said) if note or why else said for said, note, why in each],
                list(map(_text, notes)),
                texts,
                ["" if many is None else f"{many:,}" for many in bins],
                intervals if spans else none,
                noises,
                floors,
                [strip.floor if strip else "" for strip in strips],
                [strip.path if strip else "" for strip in strips],
            ),
        )

    def _spark(self, one: Spark | None) -> str:
        if one is None:
            return self.spark((), ("",) * 6)
        numbers = (str(one.share), str(one.below), str(one.bins))
        return self.spark((), (*numbers, one.about, one.line, one.points))

    def _n(self, lines: Sequence[Place]) -> list[str]:
        sizes = [line.n for line in lines]
        return self.scored.each(
            (),
            (
                ["" if n is None else str(n) for n in sizes],
                ["" if n is None else f"{n:,}" for n in sizes],
                [f"{line.of:,}" if line.fewer else "" for line in lines],
            ),
        )


def _unspanned(note: str, low: str, mark: str, why: str) -> str:
    """What is said of a cell that shows its interval: why there is none, too."""
    none = f"no interval: {why}" if why and not low and mark != "–" else ""
    return f"{note}; {none}" if note and none else note or none


@lru_cache(1 << 14)  # the same notes and names stand on every board
def _text(words: str) -> str:
    return str(escape(words))


def rows(room: object) -> Rows:
    """The rows whose macros a template has."""
    names = ("row", "who", "flag", "cell", "score", "spark", "scored", "versus", "across")
    return Rows(*(Pattern(getattr(room, name)) for name in names))
