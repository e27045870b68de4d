"""Runs instance by instance, and gold, as CSV files that a spreadsheet may open."""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from grader.model import Field, Itemised, OpenGold
from grader.spreadsheet import guarded
from grader.tasks.names import natural

by_name = lru_cache(maxsize=100_000)(natural)  # each run has the same ids

SUBSET = "subset:"  # before a dimension's name in a header


def table(
    item: Itemised,
    first: Mapping[str, str],
    disputed: Mapping[str, str],
    field: Field | None = None,
    last: str = "",
) -> str:
    """A run's instances by name: its answers, what became of them, and what others did.

    first     columns that say the same in every row; ``last`` is such a one, the embargo
    disputed  the numbers of disputes by instance
    """
    ends = ("lower", "upper") if item.bounds.size else ("confidence",)
    beside = field is not None and not field.why
    header = [*first, "id", "answer", *ends, "result", *(f"{SUBSET}{d}" for d in item.dimensions)]
    header += ["disputes"] if disputed else []
    header += ["reward", *_FIELD] if beside else []
    header += ["embargo"] if last else []
    columns: list[Sequence[str]] = [
        item.ids,
        [answer or "" for answer in item.answers],
        *_numbers(item),
        item.results,
        *(list(values) for values in zip(*item.subsets, strict=True)),
    ]
    if disputed:
        columns.append([disputed.get(name, "") for name in item.ids])
    if beside and field is not None:
        each = (np.round(item.reward, _REWARD), field.least, field.median, field.most)
        reward, *figures = ([_number(v) for v in values.tolist()] for values in each)
        columns += [reward, field.right, *figures]
    rows = zip(*columns, strict=True)
    order = sorted(rows, key=lambda row: by_name(row[0]))
    before, after = list(first.values()), [last] if last else []
    return written(header, ([*before, *row, *after] for row in order))


_REWARD = 12  # decimals: what is left of a difference is rounding
_FIELD = ("field_right", "field_reward_min", "field_reward_median", "field_reward_max")


def labels(found: OpenGold) -> str:
    """A gold with all that its commitment is over, in gold order; lists are JSON."""
    gold = found.gold
    header = ["id", "answers", *(["rejected"] if gold.rejected else []), "status", "reason"]
    header += [f"{SUBSET}{s.name}" for s in gold.subsets]
    header += ["cluster"] if gold.clusters else []
    header += ["split"] if gold.splits else []
    standings = gold.standing
    columns: list[Sequence[str]] = [gold.ids, [_list(a) for a in gold.answers]]
    columns += [[_list(a) for a in gold.rejected]] if gold.rejected else []
    columns += [[s.status for s in standings], [s.reason for s in standings]]
    columns += [[s.values[k] if k >= 0 else "" for k in s.codes.tolist()] for s in gold.subsets]
    columns += [c for c in (gold.clusters, gold.splits) if c]
    return written(header, zip(*columns, strict=True))


def judgements(found: OpenGold) -> str:
    """What judges said, a row each, with what holds of the answer."""
    numbers = sorted({name for one in found.judgements for name in one.judgement.columns})
    header = ["id", "answer", "run_sha256", "judge", "label", "resolved", *numbers]
    rows = (
        [
            *(one.judgement.unit.id, one.judgement.unit.answer, one.judgement.unit.run),
            *(one.judgement.judge, one.judgement.label, one.word or "open"),
            *(_number(one.judgement.columns.get(name, math.nan)) for name in numbers),
        ]
        for one in found.judgements
    )
    return written(header, sorted(rows, key=lambda row: (natural(row[0]), row[1:4])))


def written(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([guarded(name) for name in header])
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def _numbers(item: Itemised) -> list[list[str]]:
    columns = item.bounds.T.tolist() if item.bounds.size else [item.confidence.tolist()]
    return [[_number(value) for value in column] for column in columns]


def _number(value: float) -> str:
    """The shortest text of a number; empty where there is none.

    >>> _number(0.87), _number(float("nan")), _number(float("inf")), _number(1.0)
    ('0.87', '', 'inf', '1')
    """
    return "" if math.isnan(value) else repr(value).removesuffix(".0")


def _list(texts: Sequence[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)
