"""A released gold checked against its commitment, from the published table alone."""

import csv
import io
import json
from collections.abc import Mapping, Sequence

from grader.commitment import keyed, spelled
from grader.errors import Mistake
from grader.spreadsheet import unguarded

SUBSET = "subset:"  # before a dimension's name in the table's header
_COLUMNS = ("id", "answers", "status")


def recomputed(table: str, salt: bytes) -> str:
    """The commitment of a gold as published: a hex HMAC-SHA256, keyed by ``salt``.

    table   the CSV file's text; lists in its cells are JSON, other cells guarded against
            spreadsheets
    raises  Mistake, if it is no such table
    """
    rows = list(csv.DictReader(io.StringIO(table, newline=""), strict=True))
    names = list(rows[0]) if rows else []
    if missing := [name for name in _COLUMNS if name not in names]:
        raise Mistake(f"this is no released gold: it has no column {missing[0]!r}")
    try:
        said = _said(rows, names)
    except (ValueError, TypeError, AttributeError) as e:
        raise Mistake(f"this is no released gold: {e}") from e
    return keyed(spelled(said), salt)


def _said(rows: Sequence[Mapping[str, str]], names: Sequence[str]) -> dict[str, object]:
    """What a commitment is over."""

    def texts(name: str) -> list[str]:
        return [unguarded(row[name]) for row in rows]

    found: dict[str, object] = {
        "ids": texts("id"),
        "answers": [json.loads(row["answers"]) for row in rows],
        "subsets": {
            name.removeprefix(SUBSET): [value or None for value in texts(name)]
            for name in names
            if name.startswith(SUBSET)
        },
        "clusters": texts("cluster") if "cluster" in names else [],
        "splits": texts("split") if "split" in names else [],
        "statuses": texts("status"),
    }
    if "rejected" in names:
        found["rejected"] = [json.loads(row["rejected"]) for row in rows]
    return found
