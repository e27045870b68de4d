"""How a task was judged, as JSON and as tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.board import shown
from grader.model import Agreement, Alone, Column, Concordance, Judging, Score, Witness

RULE = "the rule"


@dataclass(frozen=True, slots=True)
class Told:
    """A table, and what is to be said below it."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    notes: tuple[str, ...] = ()


def rule(judging: Judging) -> str:
    """How it is decided what holds, in words."""
    seen = {
        "answer": "Equal answers to a question are judged once for all runs",
        "run": "Each run's answers are judged by themselves, with what supports them",
    }[judging.unit]
    holds = {
        "majority": "what more than half of an answer's judges say holds, and a tie is open until "
        "one more judges",
        "agreed": "an answer is open until all its judges say the same",
    }[judging.rule]
    chair = f"; the word of {judging.chair} stands above all others" if judging.chair else ""
    return f"{seen}; {holds}{chair}."


def document(found: Witness) -> dict[str, object]:
    """All of it at full precision; undefined is null, with its reason."""
    return {
        "units": found.units,
        "judged": found.judged,
        "decided": found.decided,
        "judges": [
            {"judge": j.name, "kind": j.kind, "prompt": j.prompt or None, "units": n}
            for j, n in found.judges
        ],
        "coverage": {
            run: {"decided": covered.decided, "of": covered.of}
            for run, covered in found.covered.items()
        },
        "agreement": [agreed(one) for one in found.agreements],
        "boards": [_board(one) for one in found.boards],
        "tau": [
            {"judges": list(one.judges), "n": one.n, "tau": one.tau, "note": one.why or None}
            for one in found.concordances
        ],
        "columns": [_column(one) for one in found.columns],
    }


def agreed(one: Agreement) -> dict[str, object]:
    """The agreement of some judges."""
    return {
        "judges": list(one.judges),
        "units": one.n,
        "raw": one.raw,
        "specific": dict(one.specific),
        "said": dict(one.said),
        one.kind: one.coefficient,
        "note": one.why or None,
    }


def _board(one: Alone) -> dict[str, object]:
    return {
        "judge": one.judge,
        "n": one.n,
        "runs": [
            {"run": run, "judge": mine.value, "rule": rule.value, "note": mine.note or rule.note}
            for run, (mine, rule) in one.values.items()
        ],
        "tau": one.tau,
        "note": one.why or None,
    }


def _column(one: Column) -> dict[str, object]:
    pairs = [one.versus.above(run) for run in one.means]
    return {
        "column": one.name,
        "compared_on": one.versus.n,
        "note": one.versus.reason or None,
        "runs": [
            {
                "run": run,
                "n": mean.n,
                "mean": mean.value,
                "less_the_one_above": pair and _swapped(pair.difference),
                "low": pair and _swapped(pair.high),
                "high": pair and _swapped(pair.low),
                "p": pair and pair.p,
            }
            for (run, mean), pair in zip(one.means.items(), pairs, strict=True)
        ],
    }


def _swapped(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def tables(found: Witness, digits: int) -> Iterator[Told]:
    """Yield what a terminal prints."""
    yield coverage(found)
    yield agreement(found.agreements, digits)
    yield boards(found.boards, digits)
    yield concordances(found.boards, found.concordances, digits)
    for column in found.columns:
        yield means(column, digits)


def coverage(found: Witness) -> Told:
    """How many units are judged, by whom and of which run."""
    said = f"{found.judged} of {found.units} units judged, {found.decided} decided"
    rows = [[run, f"{c.decided} of {c.of}"] for run, c in found.covered.items()]
    people = [f"{j.name} ({j.kind}): {n}" for j, n in found.judges]
    return Told("answers decided", ("run", "decided"), rows, (said, *people))


def agreement(found: Sequence[Agreement], digits: int) -> Told:
    """Agreement as it is and beyond chance."""
    labels = tuple(found[0].specific) if found else ()
    known = dict.fromkeys(label for one in found for label in one.specific) or labels
    rows = [
        [
            " and ".join(one.judges),
            str(one.n),
            shown(one.raw, digits),
            *(shown(one.specific.get(label), digits) for label in known),
            f"{'κ' if one.kind == 'kappa' else 'α'} {shown(one.coefficient, digits)}",
        ]
        for one in found
    ]
    notes = tuple(f"{' and '.join(one.judges)}: {one.why}" for one in found if one.why)
    columns = ("judges", "units", "agreement", *known, "beyond chance")
    return Told("agreement on labels", columns, rows, notes)


def boards(found: Sequence[Alone], digits: int) -> Told:
    """The ranked runs under each judge, beside the rule on the same instances."""
    rows = [
        [one.judge, str(one.n), run, _value(mine, digits), _value(rule, digits)]
        for one in found
        for run, (mine, rule) in one.values.items()
    ]
    notes = tuple(f"{one.judge}: {one.why}" for one in found if one.why and not one.n)
    columns = ("under", "instances", "run", "alone", RULE)
    return Told("the board under each judge", columns, rows, notes)


def concordances(alone: Sequence[Alone], found: Sequence[Concordance], digits: int) -> Told:
    """Kendall's tau-b between each judge and the rule, and between judges."""
    rows = [[one.judge, RULE, str(one.n), shown(one.tau, digits)] for one in alone if one.n]
    rows += [[*one.judges, str(one.n), shown(one.tau, digits)] for one in found]
    whys: Mapping[str, str] = {
        **{f"{one.judge} and {RULE}": one.why for one in alone if one.n},
        **{" and ".join(one.judges): one.why for one in found},
    }
    notes = tuple(f"{who}: {why}" for who, why in whys.items() if why)
    return Told("Kendall's τ-b of the orders", ("of", "and", "instances", "τ"), rows, notes)


def means(column: Column, digits: int) -> Told:
    """A further number of each run, and how it differs from that of the run above."""
    rows = []
    for run, mean in column.means.items():
        pair = column.versus.above(run)
        said = "" if pair is None else _less(pair.difference, pair.low, pair.high, digits)
        rows.append([run, str(mean.n), shown(mean.value, digits), said])
    columns = ("run", "instances", column.name, "less the one above (95% interval)")
    return Told(
        f"mean {column.name}",
        columns,
        rows,
        (column.versus.reason,) if column.versus.reason else (),
    )


def _less(difference: float | None, low: float | None, high: float | None, digits: int) -> str:
    told = shown(_swapped(difference), digits)
    if low is None or high is None:
        return told
    return f"{told} ({shown(_swapped(high), digits)} to {shown(_swapped(low), digits)})"


def _value(score: Score, digits: int) -> str:
    return shown(score.value, digits)
