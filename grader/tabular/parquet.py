"""A table as Parquet, where the library for it is installed: the extra ``parquet``."""

import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from grader.tabular.sheet import Cell, Column, Table, Told


def able() -> bool:
    """Whether the library is there."""
    return find_spec("pyarrow") is not None


def parquet(table: Table) -> bytes:
    """The rows as one Parquet file; what is undefined is null, and texts stand letter for letter.

    A number that has decimals is a double, one that counts a 64-bit integer.
    """
    arrow, files = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"double": arrow.float64(), "integer": arrow.int64(), "text": arrow.string()}
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    arrays = {
        column.name: arrow.array([_plain(cell) for cell in cells], kinds[_kind(column, cells)])
        for column, cells in zip(table.columns, columns, strict=True)
    }
    out = io.BytesIO()
    files.write_table(arrow.table(arrays), out, compression="zstd")
    return out.getvalue()


def _kind(column: Column, cells: Sequence[Cell]) -> str:
    if any(isinstance(cell, Told) for cell in cells):
        return "double"
    return "integer" if column.role == "number" else "text"


def _plain(cell: Cell) -> str | float | None:
    """A cell's value; letters that no encoding has are question marks, as in the other files."""
    if isinstance(cell, Told):
        return cell.value
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) else cell
