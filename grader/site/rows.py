"""The rows of boards as HTML: there are very many, so their macros are patterns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice

from markupsafe import Markup

from grader.site.boards import Place, Table
from grader.site.cells import Cell, Cells, joined
from grader.site.patterns import Pattern, escaped
from grader.site.sheets import has_page
from grader.site.sparks import Spark
from grader.site.strips import Column
from grader.site.tables import Matrix
from grader.site.versus import Against

ROOM = "macros/rows.html"


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
        self, table: Table, ways: tuple[str, str], extras: Sequence[str]
    ) -> tuple[Markup, Markup, Markup]:
        """The rows of a board: ranked ones, those without a rank, and late ones apart from these.

        ways    to the root of the site, and to the folder of the task
        extras  what each cell's class has beside others, but for the first
        """
        places, (primary, *others) = table.places, self._columns(table.columns, extras, spans=True)
        sparks = [self._sparks([place.spark for place in places])] if table.sparks else []
        parts = (self._ranks(places), self._who(places, ways), primary, *sparks, *others)
        lines = list(zip(*parts, self._n(places), strict=True))

        def chosen(which: Sequence[bool]) -> Markup:
            return _html(chain.from_iterable(compress(lines, which)))

        ranked, late = [place.row.rank is not None for place in places], [p.late for p in places]
        neither = [not (one or other) for one, other in zip(ranked, late, strict=True)]
        return chosen(ranked), chosen(neither), chosen(late)

    def beside(self, columns: Sequence[Column], extras: Sequence[str]) -> list[Markup]:
        """The cells of each of some rows with their strips, as in a board."""
        made = self._columns(columns, extras, spans=False)
        return list(map(_html, zip(*made, strict=True)))

    def versus(self, lines: Sequence[Against]) -> Markup:
        """The rows of a board, each against the one above it."""
        _, teams, names, ranks, *numbers, ps, verdicts = zip(*lines, strict=True)
        found = (
            escaped(teams),
            escaped(names),
            list(map(str, ranks)),
            *numbers,
            escaped(ps),
            escaped(verdicts),
        )
        return _html(self.told.each((), (), found))

    def matrix(self, grid: Matrix, home: str) -> Markup:
        """The rows of runs by subsets; ``home`` is the way to the folder of the task."""
        entries = [row.entry for row in grid.rows]
        columns = (self._plain(column, "", spans=False) for column in grid.columns)
        found = (
            [entry.slug for entry in entries],
            escaped([entry.team for entry in entries]),
            escaped([entry.name for entry in entries]),
            self._flags([sorted(entry.flags.items()) for entry in entries]),
            list(map("".join, zip(*columns, strict=True))),
        )
        apart = [not row.rank for row in grid.rows]
        return _html(self.across.each((home,), (apart,), found))

    def score(self, cell: Cell, extra: str = "", *, spans: bool = False) -> Markup:
        """A cell without a strip; ``spans``: with its interval, or why it has none."""
        return _html(self._plain(joined((cell,)), extra, spans=spans))

    def lines(self, rows: Sequence[Sequence[Cell]], *, spans: bool = False) -> list[Markup]:
        """The cells of each of some rows."""
        every = tuple(chain.from_iterable(rows))
        made = iter(self._plain(joined(every), "", spans=spans))
        return [_html(islice(made, len(row))) for row in rows]

    def _plain(self, cells: Cells, extra: str, *, spans: bool) -> list[str]:
        """Cells without strips; ``spans``: with their intervals, or why they have none."""
        return self.plain.each((extra, spans), _kinds(cells), _said(cells))

    def _columns(
        self, columns: Sequence[Column], extras: Sequence[str], *, spans: bool
    ) -> Iterator[list[str]]:
        """The cells of columns with their strips; ``spans``: the first ones with intervals."""
        for one, extra in zip(columns, (" primary", *extras), strict=False):
            values = (*_said(one.cells), *one.strips)
            yield self.cell.each((extra, spans), _kinds(one.cells), values)
            spans = False

    def _ranks(self, places: Sequence[Place]) -> list[str]:
        """The beginnings of rows: the ranks, and whether each is told from the row above."""
        entries, against = [place.row.entry for place in places], [p.against for p in places]
        signs = [one.sign if one else "" for one in against]
        said = zip(against, signs, strict=True)
        return self.row.each(
            (),
            ([sign == "≠" for sign in signs], [place.scored for place in places]),
            (
                [entry.slug for entry in entries],
                [entry.team_slug for entry in entries],
                [str(place.row.rank or "") for place in places],
                [one.ranks if one and one.ranks != "–" else "" for one in against],
                signs,
                escaped([one.said if one and sign else "" for one, sign in said]),
            ),
        )

    def _who(self, places: Sequence[Place], ways: tuple[str, str]) -> list[str]:
        entries = [place.row.entry for place in places]
        return self.who.each(
            ways,
            ([has_page(entry) for entry in entries], [place.ahead for place in places]),
            (
                [entry.slug for entry in entries],
                [entry.team_slug for entry in entries],
                escaped([entry.team for entry in entries]),
                escaped([entry.name for entry in entries]),
                self._flags([place.flags for place in places]),
                escaped([place.row.why for place in places]),
            ),
        )

    def _flags(self, each: Sequence[Sequence[tuple[str, str]]]) -> list[str]:
        """The flags of each of many, with their reasons."""
        made = iter(self.flag.each((), (), [escaped(x) for x in zip(*chain(*each), strict=True)]))
        return ["".join(islice(made, len(flags))) if flags else "" for flags in each]

    def _sparks(self, each: Sequence[Spark | None]) -> list[str]:
        none = ("",) * 6
        found = [
            (str(s.share), str(s.below), str(s.bins), s.about, s.line, s.points) if s else none
            for s in each
        ]
        return self.spark.each((), (), list(zip(*found, strict=True)))

    def _n(self, places: Sequence[Place]) -> list[str]:
        sizes = [place.n for place in places]
        return self.scored.each(
            (),
            (),
            (
                ["" if n is None else str(n) for n in sizes],
                ["" if n is None else f"{n:,}" for n in sizes],
                [f"{place.of:,}" if place.fewer else "" for place in places],
            ),
        )


def _kinds(cells: Cells) -> tuple[Sequence[object], ...]:
    return cells.best, cells.mark, cells.within


def _said(cells: Cells) -> tuple[Sequence[str], ...]:
    """What cells say, column by column, in the order in which macros take it."""
    bins = ["" if many is None else f"{many:,}" for many in cells.bin]
    notes, whys = escaped(cells.note), escaped(cells.no_span)
    return cells.text, cells.sorts, notes, whys, bins, cells.spans, cells.noise, cells.floor


def _html(texts: Iterable[str]) -> Markup:
    return Markup("".join(texts))  # noqa: S704, of macros, and text that was escaped


def rows(room: object) -> Rows:
    """The rows whose macros a template has."""
    names = ("row", "who", "flag", "cell", "score", "spark", "scored", "versus", "across")
    return Rows(*(Pattern(getattr(room, name)) for name in names))
