"""Tables as LaTeX with booktabs."""

from collections.abc import Sequence

from grader.plural import counted
from grader.table import escaped, printable
from grader.tabular.sheet import Cell, Table, Told

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
    return set_table(note, spec, head, rows)


def set_table(note: str, spec: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of LaTeX under a head, with a note as a comment above."""
    long = len(rows) > _PAGE
    kind = "longtable" if long else "tabular"
    top = ["\\toprule", " & ".join(head) + r" \\", "\\midrule"]
    body = [" & ".join(row) + r" \\" for row in rows]
    lines = [rf"\begin{{{kind}}}{{{spec}}}", *top]
    lines += [r"\endhead", *body] if long else body
    return "\n".join([f"% {printable(note)}", *lines, r"\bottomrule", rf"\end{{{kind}}}", ""])
