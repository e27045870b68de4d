"""Columns as Parquet, where the library for it is installed: the extra ``parquet``."""

import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from grader.tabular.columns import Plain, Series


def able() -> bool:
    """Whether the library is there."""
    return find_spec("pyarrow") is not None


def parquet(columns: Sequence[Series]) -> bytes:
    """The rows as one Parquet file; what is undefined is null, and texts stand letter for letter.

    A double is one, an integer has 64 bits.
    """
    arrow, files = import_module("pyarrow"), import_module("pyarrow.parquet")
    arrays = {column.name: _array(arrow, column) for column in columns}
    out = io.BytesIO()
    files.write_table(arrow.table(arrays), out, compression="zstd")
    return out.getvalue()


def _array(arrow: Any, column: Series) -> Any:  # noqa: ANN401, a library that may not be there
    """A column in the layout of Arrow, which would load pandas to read a list."""
    kinds = {"double": arrow.float64(), "integer": arrow.int64(), "text": arrow.string()}
    known = np.array([cell is not None for cell in column.cells], np.bool_)
    parts = (np.packbits(known, bitorder="little"), *_values(column))
    buffers = [arrow.py_buffer(part) for part in parts]
    return arrow.Array.from_buffers(kinds[column.kind], len(column.cells), buffers)


def _values(column: Series) -> tuple[np.ndarray | bytes, ...]:
    """The numbers, or where each text ends and all of them; what is undefined is 0 or empty."""
    if column.kind == "text":
        texts = column.spelled(_encoded)
        return np.cumsum([0, *map(len, texts)], dtype=np.int32), b"".join(texts)
    kind = np.float64 if column.kind == "double" else np.int64
    return (np.array([0 if cell is None else cell for cell in column.cells], kind),)


def _encoded(cell: Plain) -> bytes:
    """A text; letters that no encoding has are question marks, as in the other files."""
    return str(cell or "").encode("utf-8", "replace")
