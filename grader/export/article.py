"""An article that shows all tables of an overview, and pairs of runs as a matrix."""

from collections.abc import Iterable

from grader.export.agreements import PAIRED
from grader.model import Overview
from grader.plural import counted
from grader.table import printable
from grader.tabular.latex import cell, set_table, text
from grader.tabular.sheet import told


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
    return set_table(
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
