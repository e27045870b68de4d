"""Tables as LaTeX with booktabs, one macro a number, and an article that shows all of it."""

from collections.abc import Iterable, Sequence

from grader.export.agreements import PAIRED
from grader.export.sheet import Cell, Table, Told, told
from grader.model import Overview
from grader.plural import counted
from grader.table import escaped, printable

_PAGE = 40  # rows from which on a table may break between pages
_SIGNS = str.maketrans(
    {
        "-": r"\ensuremath{-}",
        "–": "--",
        "∞": r"\ensuremath{\infty}",
        "†": r"\dag{}",
    }
)
_TEXT = str.maketrans(
    {
        "–": "--",
        "—": "---",
        "∞": r"\ensuremath{\infty}",
        "†": r"\dag{}",
        "τ": r"\ensuremath{\tau}",
        "α": r"\ensuremath{\alpha}",
        "≤": r"\ensuremath{\le}",
        "≥": r"\ensuremath{\ge}",
        "±": r"\ensuremath{\pm}",
        "×": r"\ensuremath{\times}",
        "·": r"\ensuremath{\cdot}",
        "→": r"\ensuremath{\to}",
    }
)


def number(printed: str) -> str:
    """A number as it is printed, for text and formulas alike."""
    return printed.translate(_SIGNS)


def text(typed: str) -> str:
    """Any text, with the signs that the grader itself uses spelled as commands."""
    return escaped(typed).translate(_TEXT)


def cell(found: Cell) -> str:
    if isinstance(found, Told):
        return number(found.text)
    if isinstance(found, str):
        return text(found)
    return "--" if found is None else str(found)


def tabular(table: Table) -> str:
    """A table: a ``tabular``, or a ``longtable`` where it might not fit a page."""
    places = [table.names.index(name) for name in table.shown]
    rows = [[cell(row[i]) for i in places] for row in table.rows[: table.most]]
    head = [text(table.columns[i].head) for i in places]
    many = len(table.rows)
    note = f"{counted(many, 'row')}"
    if table.most is not None and many > table.most:
        note = f"the first {table.most} of {many} rows; all stand in {table.name}.csv"
    spec = "".join(
        rf">{{\raggedright\arraybackslash}}{s}" if s[0] == "p" else s for s in table.shown.values()
    )
    return _set(note, spec, head, rows)


def _set(note: str, spec: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    long = len(rows) > _PAGE
    kind = "longtable" if long else "tabular"
    top = ["\\toprule", " & ".join(head) + r" \\", "\\midrule"]
    body = [" & ".join(row) + r" \\" for row in rows]
    lines = [rf"\begin{{{kind}}}{{{spec}}}", *top]
    lines += [r"\endhead", *body] if long else body
    return "\n".join([f"% {printable(note)}", *lines, r"\bottomrule", rf"\end{{{kind}}}", ""])


def matrix(found: Overview) -> str:
    """Ranked runs against each other: above the diagonal adjusted p, below it differences.

    A p is bold where the interval of the difference excludes 0; a dash where there is none.
    Differences are of the run of the column less that of the row.
    """
    versus, digits = found.results.versus["all"], found.results.task.ranking.digits
    slugs = versus.slugs[:PAIRED]
    pairs = versus.comparison.pairs if versus.comparison else ()
    grid = [["" for _ in slugs] for _ in slugs]
    for pair in pairs:
        if max(pair.a, pair.b) >= len(slugs):
            continue
        p = cell(told(pair.p, 4))
        grid[pair.a][pair.b] = rf"\textbf{{{p}}}" if pair.told_apart else p
        grid[pair.b][pair.a] = cell(told(pair.difference, digits))
    rows = [[str(i + 1), text(s), *grid[i]] for i, s in enumerate(slugs)]
    note = "above the diagonal adjusted p, bold where told apart; below it the run of the column"
    note += f" less that of the row; {len(slugs)} of {counted(len(versus.slugs), 'ranked run')}"
    note += f"; {versus.reason}" if versus.reason else ""
    return _set(
        note, "rl" + "r" * len(slugs), ["", "run", *map(str, range(1, len(slugs) + 1))], rows
    )


_ARTICLE = r"""\documentclass[a4paper]{article}
% With pdfLaTeX letters of European languages come out. For others take XeLaTeX or LuaLaTeX, and a
% font that has them: \setmainfont{...}.
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
\else
  \usepackage{fontspec}
\fi
\usepackage[landscape,margin=15mm]{geometry}
\usepackage{array,booktabs,longtable}
\setlength{\tabcolsep}{3pt}
"""


def article(title: str, notice: str, macros: Iterable[str], parts: Iterable[str]) -> str:
    """A document that inputs everything.

    parts  each the lines of a section
    """
    inputs = (rf"\input{{{path}}}" for path in macros)
    lines = (f"% {printable(notice)}", _ARTICLE.rstrip(), *inputs, r"\begin{document}")
    head = (rf"\section*{{{text(title)}}}", text(notice), r"\footnotesize")
    return "\n".join((*lines, *head, *parts, r"\end{document}", ""))


def section(heading: str, tables: Iterable[tuple[str, str]]) -> str:
    """The lines of a section: each table's title, and its path."""
    lines = [rf"\section*{{{text(heading)}}}"]
    for title, path in tables:
        lines += [rf"\subsection*{{{text(title)}}}", rf"\noindent\input{{{path}}}"]
    return "\n".join(lines)
