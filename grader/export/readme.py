"""What the files of an overview are, for whoever opens the folder."""

from collections.abc import Sequence

from grader.tabular.sheet import Table

_HEAD = """{notice}

# Overview of {title}

Do not publish this folder with the site. CSV and JSON have all digits, LaTeX has the decimals of
the board. Each task, and each of its phases that has runs, is a folder.

| file | what it is |
|---|---|
| `overview.tex` | an article that shows all tables; needs booktabs and longtable |
| `overview.json` | all of it as one document |
| `references.bib`, `CITATION.cff` | how to cite |
| `board.tex` | the board of a folder, one column a measure |
| `matrix.tex` | its ranked runs against each other: adjusted p, and differences |
| `macros.tex` | a macro for each number of the rows that LaTeX tables show, or of `results` |
| `more-macros.tex` | one for each of all other rows: on subsets, further pairs and instances |
"""
_TAIL = """
The name of a macro begins with the task and the phase, then come the keys of the row and the
column, digits as words; `all`, `value`, `count` and `tau` are left out. Teams are named by their
address. Where a key has letters other than A to Z, or two names would be the same, eight letters
that follow from the keys stand behind: so no name comes to mean another number. A comment beside
each says what it is. What is undefined has no macro, and neither has `influence`.

Tables of more than 40 rows are a `longtable`, others a `tabular`. Where letters are not of Europe,
compile with XeLaTeX or LuaLaTeX and a font that has them.

`overview.json` has `notice`, `grader` (its version), `organisers`, `campaign` (null for a task
alone), `results` (of a campaign, else empty) and `parts`: one object for each folder, with `task`,
`title`, `phase`, `folder`, `primary`, `digits` (of the board), `gold` and, under its name, each
table below as a list of rows. Undefined is null.
"""
_WIDE = """`instance`, then for each run by how much its primary moves if the instance is left out:
0 where the run is not scored on it, empty where it is undefined without it. In JSON `moved` has a
list for each run in the order of `instances`, and `notes` say why a run has none, or gaps."""


def readme(title: str, notice: str, tables: Sequence[Table]) -> str:
    """The README of the folder: its files, and the columns of each table.

    A table without LaTeX has a column for each run.
    """
    text = _HEAD.format(notice=notice, title=" ".join(title.split()))
    text += "".join(_row(table) for table in tables) + _TAIL
    return text + "".join(f"\n## {table.name}\n\n{_columns(table)}\n" for table in tables)


def _row(table: Table) -> str:
    files = f"`{table.name}.csv`" + (f", `{table.name}.tex`" if table.shown else "")
    return f"| {files} | {table.about} |\n"


def _columns(table: Table) -> str:
    if not table.shown:
        return _WIDE
    return "\n".join(f"- `{column.name}`: {column.about}" for column in table.columns)
