"""How far judges agree on what they say of the same units."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from grader.model import Agreement, Judge, Judgement, Unit

Labels = Mapping[Unit, Mapping[str, str]]  # what each judge said of a unit, by name

_NONE = "no unit was judged by two of them"
_ONE = "all said the same of all units: there is no agreement beyond chance to speak of"


def labels_of(found: Iterable[Judgement]) -> dict[Unit, dict[str, str]]:
    """What each judge said of each unit."""
    labels: dict[Unit, dict[str, str]] = defaultdict(dict)
    for one in found:
        labels[one.unit][one.judge] = one.label
    return labels


def agreements(
    judges: Sequence[Judge], peers: Sequence[Judge], labels: Labels, known: Sequence[str]
) -> Iterator[Agreement]:
    """Yield the agreement of all peers, of people alone where others judged too, of each pair.

    Pairs that share no unit are passed over.

    peers  the judges but for the chair: who judges only what others left open agrees with few
    known  the labels in the task's order
    """
    people = [judge.name for judge in peers if judge.kind == "person"]
    for names in ([judge.name for judge in peers], people if len(people) < len(peers) else []):
        if len(names) > 1:
            yield of_all(names, labels, known)
    for pair in combinations([judge.name for judge in judges], 2):
        found = of_pair(pair, labels, known)
        if found.n:
            yield found


def of_all(judges: Sequence[str], labels: Labels, known: Sequence[str]) -> Agreement:
    """Krippendorff's alpha, nominal, over the units that two judges at least judged.

    Krippendorff, Content Analysis, 2004, chapter 11.
    """
    counts = _counts(judges, labels)
    used = [label for label in known if any(label in each for each in counts)]
    alpha, why = None, _NONE if not counts else _ONE
    if len(used) > 1:
        from krippendorff import alpha as found  # noqa: PLC0415, loads a third of a second

        table = np.array([[each[label] for label in used] for each in counts])
        alpha = float(found(value_counts=table, level_of_measurement="nominal"))
    return _agreement(tuple(judges), counts, known, ("alpha", alpha, why))


def of_pair(pair: tuple[str, str], labels: Labels, known: Sequence[str]) -> Agreement:
    """Cohen's kappa of two judges: (observed − expected) / (1 − expected) agreement.

    Expected is what two would agree who give each label as often as these, by chance.

    Cohen, A Coefficient of Agreement for Nominal Scales, Educational and Psychological
    Measurement 20, 1960.
    """
    first, second = pair
    both = [(said[first], said[second]) for said in labels.values() if {*pair} <= said.keys()]
    n = len(both)
    kappa, why = None, _NONE if not n else _ONE
    one, other = (Counter(said[side] for said in both) for side in (0, 1))
    chance = sum(one[label] * other[label] for label in one)
    if n and chance < n * n:
        agreed = sum(a == b for a, b in both)
        kappa = (n * agreed - chance) / (n * n - chance)
    return _agreement(pair, _counts(pair, labels), known, ("kappa", kappa, why))


def _counts(judges: Sequence[str], labels: Labels) -> list[Counter[str]]:
    """How often each unit got each label from these judges, of units that two judged."""
    each = (Counter(said[j] for j in judges if j in said) for said in labels.values())
    return [counts for counts in each if counts.total() > 1]


def _agreement(
    judges: tuple[str, ...],
    counts: Sequence[Counter[str]],
    known: Sequence[str],
    beyond: tuple[Literal["kappa", "alpha"], float | None, str],
) -> Agreement:
    """With the agreement as it is: of ordered pairs of judgements of one unit.

    A unit of k judges stands for k (k − 1) pairs; of two judges the specific agreement is that
    of Cicchetti and Feinstein (Journal of Clinical Epidemiology 43, 1990).
    """
    pairs = sum(each.total() * (each.total() - 1) for each in counts)
    equal = {name: sum(c[name] * (c[name] - 1) for c in counts) for name in known}
    asked = {name: sum(c[name] * (c.total() - 1) for c in counts) for name in known}
    kind, coefficient, why = beyond
    return Agreement(
        judges=judges,
        kind=kind,
        n=len(counts),
        raw=sum(equal.values()) / pairs if pairs else None,
        specific={name: equal[name] / asked[name] if asked[name] else None for name in known},
        said={name: sum(c[name] for c in counts) for name in known},
        coefficient=coefficient,
        why="" if coefficient is not None else why,
    )
