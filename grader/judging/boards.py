"""The board under the word of one judge alone, and how the orders of two judges agree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from grader.board import concordance
from grader.family import bound, by_id
from grader.judging.resolution import Votes
from grader.judging.views import UNKNOWN, View
from grader.measures import find
from grader.model import (
    Alone,
    BoolArray,
    Concordance,
    Gold,
    IntArray,
    Score,
    Task,
    Undefined,
)

_NO_RUN = "no run is ranked yet"
_NOTHING = "there is no instance of which all answers of the ranked runs were judged by {}"


class Boards:
    """The ranked runs under each judge.

    views  the ranked runs, by slug, in the order of the board
    """

    def __init__(self, task: Task, gold: Gold, views: Mapping[str, View], votes: Votes) -> None:
        self.task, self.gold, self.views, self.votes = task, gold, views, votes
        self.digits = task.ranking.digits
        self._under: dict[str, dict[str, IntArray]] = {}

    def under(self, judge: str) -> Mapping[str, IntArray]:
        """What a judge says of each run."""
        if judge not in self._under:
            found = {slug: view.under(self.votes, judge) for slug, view in self.views.items()}
            self._under[judge] = found
        return self._under[judge]

    def inside(self, judge: str) -> BoolArray:
        """Shape (n,): the instances of which the judge judged every answer of these runs."""
        counted = [view.counted for view in self.views.values()]
        whole = np.zeros(len(self.gold.ids), dtype=np.bool_)
        whole |= np.logical_or.reduce([whole, *counted])
        for slug, said in self.under(judge).items():
            whole &= (said != UNKNOWN) | ~self.views[slug].counted
        return whole

    def score(self, slug: str, right: IntArray, inside: BoolArray) -> Score:
        """A run's score on some instances, if these of its answers are right."""
        view, measure = self.views[slug], find(self.task.primary)
        at = by_id(inside & view.counted, self.gold)
        judged = replace(view.judged, correct=right == 1, waiting=np.empty(0, dtype=np.bool_))
        try:
            value = bound(measure, self.gold, at)(judged.part(at)).value
        except Undefined as why:
            return Score(measure.key, "all", len(at), None, note=str(why))
        return Score(measure.key, "all", len(at), value)

    def alone(self, judges: Sequence[str]) -> Iterator[Alone]:
        """Yield the board under each judge."""
        before = {slug: [_coded(_rule(v), v.counted)] for slug, v in self.views.items()}
        for judge in judges:
            inside, under = self.inside(judge), self.under(judge)
            n = int(inside.sum())
            if not n:
                why = _NOTHING.format(judge) if self.views else _NO_RUN
                yield Alone(judge, 0, why=why)
                continue
            values, telling = {}, {}
            for slug, view in self.views.items():
                rule, mine = _rule(view), under[slug]
                values[slug] = self.score(slug, mine, inside), self.score(slug, rule, inside)
                here = inside & view.counted
                pair = [_coded(rule, here), _coded(mine, here)]
                telling[slug] = _least(pair, before[slug])
                before[slug] += pair
            tau, why = concordance(values, self.digits)
            yield Alone(judge, n, values, telling, tau, why)

    def concordances(self, judges: Sequence[str]) -> Iterator[Concordance]:
        """Yield how the orders of each two judges agree, where they share an instance."""
        for one, other in combinations(judges, 2):
            inside = self.inside(one) & self.inside(other)
            n = int(inside.sum())
            if not n:
                continue
            values, telling = {}, {}
            for slug, view in self.views.items():
                both = self.under(one)[slug], self.under(other)[slug]
                values[slug] = self.score(slug, both[0], inside), self.score(slug, both[1], inside)
                differs = (both[0] != both[1]) & inside & view.counted
                telling[slug] = int(differs.sum())
            tau, why = concordance(values, self.digits)
            yield Concordance((one, other), n, values, telling, tau, why)


def _rule(view: View) -> IntArray:
    return view.judged.correct.astype(np.intp)


def _coded(right: IntArray, inside: BoolArray) -> IntArray:
    """What a score tells of each instance: right, wrong, or nothing."""
    return np.where(inside, right, UNKNOWN)


def _least(pair: Sequence[IntArray], before: Sequence[IntArray]) -> int:
    """The least number of instances, if any, by which two codes differ; 0 if none differ."""
    apart = [int((pair[0] != pair[1]).sum())]
    apart += [int((mine != old).sum()) for mine in pair for old in before]
    return min((n for n in apart if n), default=0)
