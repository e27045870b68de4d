"""A table as Parquet, where the library for it is installed: the extra ``parquet``."""

import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from grader.tabular.sheet import Cell, Column, Plain, Table, Told


def able() -> bool:
    """Whether the library is there."""
    return find_spec("pyarrow") is not None


def parquet(table: Table) -> bytes:
    """The rows as one Parquet file; what is undefined is null, and texts stand letter for letter.

    A number that has decimals is a double, one that counts a 64-bit integer.
    """
    arrow, files = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"double": arrow.float64(), "integer": arrow.int64(), "text": arrow.string()}
    arrays = {
        column.name: arrow.array(_encodable(plain), kinds[_kind(column, cells)])
        for column, cells, plain in zip(table.columns, table.cells, table.plain, strict=True)
    }
    out = io.BytesIO()
    files.write_table(arrow.table(arrays), out, compression="zstd")
    return out.getvalue()


def _kind(column: Column, cells: Sequence[Cell]) -> str:
    if any(isinstance(cell, Told) for cell in cells):
        return "double"
    return "integer" if column.role == "number" else "text"


def _encodable(cells: Sequence[Plain]) -> list[Plain]:
    """A column; letters that no encoding has are question marks, as in the other files."""
    known = {c: c.encode("utf-8", "replace").decode() for c in set(cells) if isinstance(c, str)}
    return [known[c] if isinstance(c, str) else c for c in cells]
