"""Judgements are taken in, and become the next version of the gold if they change it."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from grader import store
from grader.errors import Mistake, not_before
from grader.judging.agreement import labels_of, of_pair
from grader.judging.filled import read_filled
from grader.judging.known import Brought, File, Known
from grader.judging.matrix import read_matrix
from grader.judging.resolution import JUDGES, decision, outcome, resolved, settled, votes_of
from grader.judging.stored import accepted, judged, known_units
from grader.judging.units import distinct
from grader.model import Agreement, Gold, Judge, Judgement, Unit
from grader.plural import counted
from grader.rescore import Act
from grader.store import Connection, Registered
from grader.versioning import Adopted, Reason, adopt

_SHOWN = 10  # changes of mind named in a message


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is brought: files of a judge, with the further numbers that are kept of them.

    ``matrix``: they say which runs are right where. ``why``: a change of mind has a reason.
    """

    judge: Judge
    files: Sequence[File]
    columns: Sequence[str] = ()
    matrix: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What judgements amount to: ``adopted`` is the new gold, None if it is the same.

    ``dropped`` and ``restored`` instances count no longer, or again, by the judges' word.
    """

    adopted: Adopted | None
    dropped: tuple[str, ...]
    restored: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a delivery: how many judgements are new, changed, or were there already.

    To ``added`` ones only further numbers came; ``left`` rows are for later. Of the ``units`` of
    accepted runs ``judged`` ones were judged by somebody, and of ``decided`` ones it is known what
    holds. ``agreements`` are this judge's with each other one.
    """

    judge: Judge
    new: int
    revised: int
    added: int
    same: int
    left: int
    resolved: Resolved
    units: int
    judged: int
    decided: int
    agreements: tuple[Agreement, ...]

    @property
    def undecided(self) -> int:
        """How many units were judged, while it is open what holds."""
        return self.judged - self.decided


def take(db: Connection, slug: str, delivery: Delivery, act: Act) -> Taken:
    """Keep what a judge says, and resolve it. The same again changes nothing.

    What the judge said otherwise before is a revision, and stays beside it.

    raises  Mistake, for a task that is not judged, for everything that is wrong with the files,
            or for a revision without a reason; then nothing is kept
    """
    now = judged(db, slug, lock=True)
    before = store.judgements(db, slug)
    judge = store.add_judge(db, slug, delivery.judge, act.at)
    mine = {one.unit: one for one in before if one.judge == judge.name}
    last = max((one.at for one in mine.values()), default=act.at)
    not_before(act.at, last, f"what {judge.name} said before")
    known = known_units(db, now, before)
    brought = _read(delivery, known, {unit: one.label for unit, one in mine.items()})
    new = [
        Judgement(u, judge.name, said.label, act.at, "", said.columns)
        for u, said in brought.said.items()
    ]
    rows = [one for one in new if one.unit not in mine]
    more = [_merged(mine[one.unit], one) for one in new if one.unit in mine]
    more = [one for one in more if one is not mine[one.unit]]
    revised = [one for one in more if one.contradicts(mine[one.unit])]
    _reasoned(slug, delivery, [(mine[one.unit], one) for one in revised])
    store.add_judgements(db, slug, (*rows, *(replace(one, why=delivery.why) for one in more)))
    added = len(more) - len(revised)
    what = f"{counted(len(rows), 'judgement')} of {judge.name}"
    what += f", {len(revised)} changed" if revised else ""
    what += f", {added} with further numbers" if added else ""
    if rows or more:
        store.log(db, slug, f"judge import: {what}", delivery.why, act.at)
    same = len(new) - len(rows) - len(more)
    found = resolve(db, now, delivery.why or what, act)
    counts = (len(rows), len(revised), added, same, brought.left)
    return _told(db, now, judge, counts, (known, found))


def _told(
    db: Connection,
    now: Registered,
    judge: Judge,
    counts: tuple[int, int, int, int, int],
    made: tuple[Known, Resolved],
) -> Taken:
    """With how far the judging is, and how far this judge agrees with others."""
    known, found = made
    judging, said = now.task.judging, store.judgements(db, now.task.slug)
    runs = [run for run in known.runs if accepted(db, now.task.slug, run.run, run.sent)]
    scored = dict(zip(now.gold.ids, now.gold.scored.tolist(), strict=True))
    gone, back = set(found.dropped), set(found.restored)
    units = {u for u in distinct(runs) if (scored[u.id] or u.id in back) and u.id not in gone}
    votes = {u: v for u, v in votes_of(judging, said).items() if u in units}
    decided = sum(settled(decision(judging, each)) for each in votes.values())
    labels = labels_of(said)
    others = (j.name for j in store.judges(db, now.task.slug) if j.name != judge.name)
    pairs = (of_pair((other, judge.name), labels, judging.labels) for other in others)
    told = tuple(pair for pair in pairs if pair.n)
    return Taken(judge, *counts, found, len(units), len(votes), decided, told)


def _read(delivery: Delivery, known: Known, before: Mapping[Unit, str]) -> Brought:
    if delivery.matrix:
        return read_matrix(delivery.files, known, delivery.columns)
    return read_filled(delivery.files, known, delivery.columns, before)


def _merged(old: Judgement, new: Judgement) -> Judgement:
    """The new judgement with the numbers that it leaves alone; the old one if it is that."""
    columns = {**old.columns, **new.columns}
    same = (old.label, dict(old.columns)) == (new.label, columns)
    return old if same else replace(new, columns=columns)


def _reasoned(
    slug: str, delivery: Delivery, revised: Sequence[tuple[Judgement, Judgement]]
) -> None:
    """Mistake if something is taken back and nobody says why."""
    if not revised or delivery.why:
        return
    said = [
        f"  {old.unit.answer[:40]!r} to {old.unit.id!r} was {old.label!r}, and is {new.label!r}"
        for old, new in revised[:_SHOWN]
    ]
    more = [f"  … and {len(revised) - _SHOWN} more"] if len(revised) > _SHOWN else []
    files = " ".join(shlex.quote(file.name) for file in delivery.files[:3])
    raise Mistake(
        f"{delivery.judge.name} judged {counted(len(revised), 'unit')} otherwise before, and "
        "nothing was taken in: a change of mind needs a reason",
        *said,
        *more,
        mend=f"grader judge import {slug} {files} --judge {shlex.quote(delivery.judge.name)} "
        "--why '…'",
    )


def resolve(db: Connection, now: Registered, why: str, act: Act) -> Resolved:
    """Let the gold say what the judgements amount to by the task's rule.

    now     the task, locked, with the rule that holds from now on
    raises  Mistake, if no scored instance would be left
    """
    slug, judging = now.task.slug, now.task.judging
    found = outcome(judging, votes_of(judging, store.judgements(db, slug)))
    after = resolved(judging, now.gold, found, _ours(db, now))
    if not after.scored.any():
        raise Mistake("nothing was taken in: no scored instance would be left")
    was, is_ = _dropped(now.gold), _dropped(after)
    adopted = None
    if _content(after) != _content(now.gold):
        adopted = adopt(db, now, after, "gold from judgements", Reason(why, JUDGES), act)
    return Resolved(adopted, tuple(sorted(is_ - was)), tuple(sorted(was - is_)))


def _ours(db: Connection, now: Registered) -> Collection[str]:
    """The ids of which organisers decided last whether they count."""
    slug, last = now.task.slug, dict.fromkeys(_dropped(now.gold), "")
    for version in store.versions(db, [slug])[slug]:
        last |= {drop.id: drop.who for drop in (*version.dropped, *version.restored)}
    return {name for name, who in last.items() if who != JUDGES}


def _dropped(gold: Gold) -> set[str]:
    return {n for n, s in zip(gold.ids, gold.standings, strict=False) if s.status == "dropped"}


def _content(gold: Gold) -> tuple[object, ...]:
    """What judgements decide of a gold."""
    return gold.answers, gold.rejected, _dropped(gold)
