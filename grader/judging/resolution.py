"""What holds where judges differ: the labels of a unit, or of a question, become one word."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from grader.model import Gold, Judgement, Judging, Standing, Unit, Word
from grader.plural import counted
from grader.store import folded

JUDGES = "judges, by rule"  # whose word a gold is that judgements amount to
Votes = Mapping[Unit, Mapping[str, Word]]  # what was said of a unit, by the judge's name


@dataclass(frozen=True, slots=True)
class Tally:
    """What was said of units so far, and how it is resolved."""

    judging: Judging
    votes: Votes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds of units, and of the instances whose question the judges spoke of.

    ``bad`` has, of those that are bad by the rule, how many judges say so and how many judged.
    """

    words: Mapping[Unit, Word | None]
    bad: Mapping[str, tuple[int, int]]


def votes_of(judging: Judging, found: Iterable[Judgement]) -> dict[Unit, dict[str, Word]]:
    """What was said of each unit, by judge."""
    votes: dict[Unit, dict[str, Word]] = defaultdict(dict)
    for one in found:
        votes[one.unit][one.judge] = judging.word(one.label)
    return votes


def decision(judging: Judging, votes: Mapping[str, Word]) -> Word | None:
    """What the judges of one thing decide together; None while they leave it open.

    The chair's word, else what all of them say, or under ``majority`` more than half of them: a
    tie is open. Who calls the question bad says of the answer neither right nor wrong.
    """
    chair = folded(judging.chair)
    for judge, word in votes.items():
        if chair and folded(judge) == chair:
            return word
    if not votes:
        return None
    word, many = Counter(votes.values()).most_common(1)[0]
    need = len(votes) if judging.rule == "agreed" else len(votes) // 2 + 1
    return word if many >= need else None


def settled(word: Word | None) -> bool:
    """Whether it is known of an answer if it is right: who calls the question bad says neither."""
    return word in ("right", "wrong")


def outcome(judging: Judging, votes: Votes) -> Outcome:
    """What holds of every unit, and which questions are bad.

    A question is put to all judges who judged an answer to it; who calls it bad beside one
    answer calls it bad.
    """
    asked: dict[str, dict[str, Word]] = defaultdict(dict)
    for unit, mine in votes.items():
        for judge, word in mine.items():
            said: Word = "bad" if word == "bad" else "right"
            if asked[unit.id].get(judge) != "bad":
                asked[unit.id][judge] = said
    bad = {
        name: (sum(word == "bad" for word in each.values()), len(each))
        for name, each in asked.items()
        if decision(judging, each) == "bad"
    }
    return Outcome({unit: decision(judging, mine) for unit, mine in votes.items()}, bad)


def resolved(judging: Judging, gold: Gold, found: Outcome, ours: Collection[str]) -> Gold:
    """The gold with what holds: right and wrong answers, and bad questions dropped.

    What judges dropped comes back once they no longer call it bad. Answers to dropped questions
    are kept all the same.

    ours  ids of which organisers decided whether they count: that stands
    """
    lists: dict[tuple[str, str], list[str]] = defaultdict(list)
    for unit, word in found.words.items():
        if word is not None and settled(word):
            lists[unit.id, word].append(unit.known_as)
    standings = gold.standing
    return replace(
        gold,
        answers=tuple(tuple(sorted(lists[name, "right"])) for name in gold.ids),
        rejected=tuple(tuple(sorted(lists[name, "wrong"])) for name in gold.ids),
        standings=tuple(
            s if name in ours else _standing(judging, s, found.bad.get(name))
            for name, s in zip(gold.ids, standings, strict=True)
        ),
    )


def _standing(judging: Judging, now: Standing, bad: tuple[int, int] | None) -> Standing:
    """Where an instance stands by the judges' word."""
    theirs = now.status == "dropped" and now.who == JUDGES
    if not bad:
        return Standing() if theirs else now
    some, many = bad
    why = f"{judging.bad}: {some} of {counted(many, 'judge')}"
    if theirs:
        return replace(now, reason=why)
    return Standing("dropped", why, JUDGES) if now.status == "scored" else now
