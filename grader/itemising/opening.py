"""Gold with its labels, and runs instance by instance under it, as far as these are public."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from grader import store
from grader.itemising.items import itemised
from grader.judging.resolution import decision, votes_of
from grader.model import Gold, Judgement, Judging, OpenGold, Resolved, Results, Unit
from grader.store import Connection
from grader.store.opening import Secret, secrets


def opened(db: Connection, results: Results, at: datetime, *, every: bool = False) -> Results:
    """The results with gold versions, and its runs instance by instance under the last of them.

    Those that are released by then; which runs are shown, ``board.opened`` decides. Where each run
    is judged by itself, the gold says of runs what is right in them: it leaves out those whose
    teams want no archive.

    every  whether organisers ask, who see all of both
    """
    slug = results.task.slug
    known = secrets(db, slug)
    if results.veiled:  # instance by instance a run tells whose it is
        return results
    found = [s for s in known if every or (s.released and s.released <= at)]
    if not found:
        return results
    consents = {t.name: t.registration.consent is True for t in store.teams(db)}
    agreed = None
    if results.task.answers == "judged" and results.task.judging.unit == "run" and not every:
        entries = store.snapshot(db, at, [slug]).tasks[0].entries
        agreed = {e.sha256 for e in entries if consents[e.team]}
    golds = tuple(_open(db, results, s, agreed, _under(known, s, at)) for s in found)
    task = store.registered(db, slug).task
    runs = (e for e in results.entries if e.graded and "withdrawn" not in e.flags)
    items = tuple(
        itemised(db, task, golds[-1].gold, e.slug, consent=consents[e.team]) for e in runs
    )
    return replace(results, golds=golds, itemised=tuple(one for one in items if one))


def _under(known: Sequence[Secret], mine: Secret, at: datetime) -> Callable[[Judgement], bool]:
    """Whether a judgement was there while a version was the newest: also one that changed nothing.

    What is public of a version does not grow after its release.
    """
    end = mine.released or at
    after = [secret.registered for secret in known if secret.version > mine.version]
    made, gone = mine.registered, min(after, default=None)
    # What came at the instant of the next version made that one.
    return lambda one: one.at <= made or (one.at <= end and (gone is None or one.at < gone))


def _open(
    db: Connection,
    results: Results,
    secret: Secret,
    agreed: Collection[str] | None,
    under: Callable[[Judgement], bool],
) -> OpenGold:
    slug, judging = results.task.slug, results.task.judging
    gold, _ = store.gold(db, slug, secret.version)
    said: tuple[Resolved, ...] = ()
    if results.task.answers == "judged":
        every = filter(under, store.every_judgement(db, slug))
        said = tuple(_resolved(judging, every))
    made = OpenGold(gold, secret.commitment, secret.salt, secret.released, said)
    return made if agreed is None else _without(made, agreed)


def _resolved(judging: Judging, every: Iterator[Judgement]) -> Iterator[Resolved]:
    """Yield what stands of judgements, each with what holds of its unit."""
    last: dict[tuple[str, Unit], Judgement] = {(one.judge, one.unit): one for one in every}
    votes = votes_of(judging, last.values())
    for one in last.values():
        yield Resolved(one, decision(judging, votes[one.unit]))


def _without(found: OpenGold, agreed: Collection[str]) -> OpenGold:
    """The gold without what it says of runs of which the bytes' digests are not ``agreed``."""

    def kept(each: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(a for a in answers if a in agreed) for answers in each)

    gold: Gold = replace(
        found.gold, answers=kept(found.gold.answers), rejected=kept(found.gold.rejected)
    )
    said = tuple(r for r in found.judgements if r.judgement.unit.run in agreed)
    return replace(found, gold=gold, judgements=said, whole=gold == found.gold)
