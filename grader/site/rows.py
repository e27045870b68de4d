"""The rows of boards as HTML: there are very many, so their macros are patterns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from markupsafe import Markup, escape

from grader.site.boards import Place
from grader.site.patterns import Pattern
from grader.site.sheets import has_page
from grader.site.sparks import Spark
from grader.site.strips import Strip
from grader.site.tables import Cell

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

    def rows(
        self, lines: Sequence[Place], ways: tuple[str, str], extras: Sequence[str], *, sparks: bool
    ) -> Markup:
        """The rows of a board.

        ways    to the root of the site, and to the folder of the task
        extras  what each cell's class has beside others, but for the first
        sparks  whether the board has a column of reliability diagrams
        """
        columns = zip(*(line.drawn for line in lines), strict=True)
        every = zip(columns, (" primary", *extras), strict=False)
        cells = [self._column(drawn, extra, spans=not i) for i, (drawn, extra) in enumerate(every)]
        each = zip(lines, zip(*cells, strict=True), strict=True)
        made = (self._row(line, ways, printed, sparks=sparks) for line, printed in each)
        return Markup("".join(made))  # noqa: S704, of macros, and text that was escaped

    def cells(self, drawn: _Drawn, extras: Sequence[str]) -> Markup:
        """Cells with their strips, as in a row."""
        each = zip(drawn, extras, strict=False)
        made = (self._column((one,), extra, spans=False) for one, extra in each)
        return Markup("".join(chain.from_iterable(made)))  # noqa: S704, as above

    def score(self, cell: Cell, extra: str = "", *, spans: bool = False) -> Markup:
        """A cell without a strip; ``spans``: with its interval, or why it has none."""
        return Markup(self._score(cell, extra, spans=spans))  # noqa: S704, as above

    def scores(self, cells: Iterable[Cell], *, spans: bool = False) -> Markup:
        """Several in a row."""
        made = (self._score(cell, "", spans=spans) for cell in cells)
        return Markup("".join(made))  # noqa: S704, as above

    def _score(self, cell: Cell, extra: str, *, spans: bool) -> str:
        hint = _text(cell.note) if cell.note else ""
        if spans and cell.no_span and not cell.low and cell.mark != "–":
            hint = _text("; ".join(filter(None, (cell.note, f"no interval: {cell.no_span}"))))
        values = (cell.sort, hint, *_printed(cell, spans=spans))
        return self.plain((extra, cell.best, cell.mark, cell.within), values)

    def _row(
        self, line: Place, ways: tuple[str, str], cells: Sequence[str], *, sparks: bool
    ) -> str:
        """A row; ``cells``: as printed, the primary's first."""
        entry, against = line.row.entry, line.against
        ranks = against.ranks if against and against.ranks != "–" else ""
        sign = against.sign if against else ""
        return self.row(
            (sign == "≠", line.scored),
            (
                entry.slug,
                entry.team_slug,
                str(line.row.rank or ""),
                ranks,
                sign,
                _text(against.said) if against and sign else "",
                self._who(line, ways),
                cells[0],
                self._spark(line.spark) if sparks else "",
                "".join(cells[1:]),
                self._n(line),
            ),
        )

    def _who(self, line: Place, ways: tuple[str, str]) -> str:
        entry = line.row.entry
        flags = "".join(self.flag((), (_text(f), _text(why))) for f, why in line.flags)
        known = (entry.slug, entry.team_slug, _text(entry.team), _text(entry.name))
        values = (*known, flags, _text(line.row.why))
        return self.who((*ways, has_page(entry), line.ahead), values)

    def _column(self, drawn: _Drawn, extra: str, *, spans: bool) -> list[str]:
        """The cells of a column with their strips; ``spans``: with their intervals."""
        kinds = ((extra, cell.best, cell.mark, cell.within) for cell, _ in drawn)
        values = (
            (
                *(cell.sort, _hint(cell)),
                *_printed(cell, spans=spans),
                *((strip.floor, strip.path) if strip else ("", "")),
            )
            for cell, strip in drawn
        )
        return list(map(self.cell, kinds, values))

    def _spark(self, one: Spark | None) -> str:
        if one is None:
            return self.spark((), ("",) * 6)
        numbers = (str(one.share), str(one.below), str(one.bins))
        return self.spark((), (*numbers, one.about, one.line, one.points))

    def _n(self, line: Place) -> str:
        if line.n is None:
            return self.scored((), ("", "", ""))
        of = f"{line.of:,}" if line.fewer else ""
        return self.scored((), (str(line.n), f"{line.n:,}", of))


def _printed(cell: Cell, *, spans: bool) -> tuple[str, ...]:
    """What stands in a cell: its note, value, n, interval, and floor in words and alone."""
    note = _text(cell.note) if cell.note else ""
    many = "" if cell.bin is None else f"{cell.bin:,}"
    return note, cell.text, many, cell.span if spans else "", cell.noise, cell.floor


def _hint(cell: Cell) -> str:
    """What is said of a cell; its numbers need no escaping."""
    return _text(cell.hint) if cell.note or cell.no_span else cell.hint


@lru_cache(1 << 14)  # the same notes and names stand on every board
def _text(words: str) -> str:
    return str(escape(words))


def rows(room: object) -> Rows:
    """The rows whose macros a template has."""
    names = ("row", "who", "flag", "cell", "score", "spark", "scored")
    return Rows(*(Pattern(getattr(room, name)) for name in names))
