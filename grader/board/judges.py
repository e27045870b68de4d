"""What may be told of how a task was judged while its gold is secret."""

from dataclasses import replace
from datetime import datetime

from grader.board.blunt import UNBOUNDED, mean_alone, noted, silent
from grader.board.concordance import concordance
from grader.board.limits import FEW, Limits
from grader.measures import find
from grader.model import (
    PUBLIC,
    Agreement,
    Alone,
    Column,
    Concordance,
    Graded,
    Results,
    Score,
    Witness,
)


def heard(results: Results, at: datetime, limits: Limits) -> Results:
    """The results with as much of how they were judged as tells of no few instances.

    All of it once the gold is released.

    Agreement is told of at least FEW units, and of a label that was given as often. Two boards of
    the same run that differ in a few instances would tell which labels these have: so a run is
    shown under a judge only if every difference to what else is shown is of none, or of at least
    as many as a part must have. What is hidden counts in no tau.
    """
    witness = results.witness
    public = results.gold.released is not None and results.gold.released <= at
    if witness is None or public:
        return results
    digits = results.task.ranking.digits
    found = replace(
        witness,
        agreements=tuple(_agreement(one) for one in witness.agreements if one.n >= FEW),
        boards=tuple(_alone(one, digits, limits) for one in witness.boards),
        concordances=tuple(
            _concordance(one, digits, limits.part)
            for one in witness.concordances
            if one.n >= limits.subset
        ),
        columns=tuple(_column(one, limits.subset) for one in witness.columns),
    )
    return replace(results, witness=found)


def blunted(results: Results, digits: int) -> Results:
    """The same with no number of more decimals than these, and no count of what was said."""
    if results.witness is None:
        return results
    found: Witness = noted(results.witness, digits)
    uncounted = tuple(replace(one, said={}) for one in found.agreements)
    columns = tuple(replace(c, versus=silent(c.versus)) for c in found.columns)
    return replace(results, witness=replace(found, agreements=uncounted, columns=columns))


def _agreement(one: Agreement) -> Agreement:
    rare = {label for label, many in one.said.items() if many < FEW}
    specific = {label: v for label, v in one.specific.items() if label not in rare}
    # What one label is given follows from the others and the number of judgements.
    return replace(one, specific=specific, said={} if rare else one.said)


def _alone(one: Alone, digits: int, limits: Limits) -> Alone:
    if one.n < limits.subset:
        few = f"fewer than {limits.subset} instances: not shown"
        return Alone(one.judge, 0, why=few if one.n else one.why)
    hidden = {slug for slug, n in one.telling.items() if 0 < n < limits.part}
    values = {
        slug: (_plain(mine), _plain(rule))
        for slug, (mine, rule) in one.values.items()
        if slug not in hidden
    }
    tau, why = concordance(values, digits)
    return replace(one, values=values, telling={}, tau=tau, why=why)


def _plain(score: Score) -> Score:
    """A score whose reason names no subset."""
    return mean_alone(score) if find(score.measure).dimension else score


def _concordance(one: Concordance, digits: int, few: int) -> Concordance:
    if not one.values:  # it has been through here
        return one
    hidden = {slug for slug, n in one.telling.items() if 0 < n < few}
    values = {slug: pair for slug, pair in one.values.items() if slug not in hidden}
    tau, why = concordance(values, digits)
    return replace(one, values={}, telling={}, tau=tau, why=why)


def _column(one: Column, few: int) -> Column:
    """The means of enough instances; compared only if all are shown, on enough of them."""
    means = {slug: mean for slug, mean in one.means.items() if mean.n >= few}
    versus = one.versus
    if versus.comparison is not None and (len(means) < len(one.means) or versus.n < few):
        why = f"together they would tell of fewer than {few} instances"
        versus = replace(versus, comparison=None, reason=why)
    return replace(one, means=means, versus=versus)


def enough_judged(graded: Graded) -> Graded:
    """A run's scores without the bounds of such parts as have too few judged answers.

    Bounds tell how many of those that are judged are right: of a part, of the whole, and of what
    the whole has beside the parts that are shown. Of the answers that are known in a part, any
    may be refusals, of which nobody says anything.
    """
    if not graded.waits:
        return graded
    known: dict[str, dict[str, int]] = {}
    for score in graded.scores:
        if score.waiting and score.subset != PUBLIC and not find(score.measure).dimension:
            parts = known.setdefault(score.subset.partition("=")[0], {})
            parts[score.subset] = score.n - score.waiting
    whole = known.pop("all", {}).get("all", 0) - graded.abstained
    if whole <= 0:  # nobody has judged any yet
        return graded
    few = {"all"} if whole < FEW else set[str]()
    for parts in known.values():
        hidden = {part for part, n in parts.items() if 0 < n < FEW + graded.abstained}
        few |= hidden
        if hidden and sum(parts[part] for part in hidden) < FEW + graded.abstained:
            few.add("all")
    right = 0 if "all" in few else graded.right
    return replace(graded, scores=tuple(_unbounded(s, few) for s in graded.scores), right=right)


def _unbounded(score: Score, few: set[str]) -> Score:
    dimension = find(score.measure).dimension
    hit = any(part.partition("=")[0] == dimension for part in few) if dimension else False
    if not score.waiting or not (hit or score.subset in few):
        return score
    kept = {k: v for k, v in score.details.items() if k not in ("least", "most")}
    return score._replace(value=None, note=UNBOUNDED, details=kept)
