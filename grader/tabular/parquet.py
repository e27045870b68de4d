"""Columns as Parquet, where the library for it is installed: the extra ``parquet``."""

import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
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
    buffers = [part if part is None else arrow.py_buffer(part) for part in _parts(column)]
    return arrow.Array.from_buffers(kinds[column.kind], len(column.cells), buffers)


def _parts(column: Series) -> Iterator[np.ndarray | bytes | None]:
    """Yield which cells are defined, None if all are; then the numbers, or texts by their ends.

    What is undefined is 0 or empty there.
    """
    cells, full = column.cells, None not in column.cells
    yield None if full else np.packbits([cell is not None for cell in cells], bitorder="little")
    if column.kind == "text":
        texts = column.spelled(_encoded)
        yield np.cumsum(np.fromiter(chain((0,), map(len, texts)), np.int32), dtype=np.int32)
        yield b"".join(texts)
    else:
        kind = np.float64 if column.kind == "double" else np.int64
        yield np.array(cells if full else [0 if cell is None else cell for cell in cells], kind)


def _encoded(cell: Plain) -> bytes:
    """A text; letters that no encoding has are question marks, as in the other files."""
    return str(cell or "").encode("utf-8", "replace")
