"""A gold's next version: dropped, restored and replaced, and every run scored again under it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader import store
from grader.board import common, differences, told
from grader.errors import Mistake, not_before
from grader.model import Difference, Gold, GoldSummary, Results, Split, Standing, Task
from grader.rescore import Act, regraded
from grader.store import Connection, Registered
from grader.store.opening import secrets
from grader.tasks.standing import SHOWN, Word, decided, dropped, replaced, restored

_WAITING = "there is no gold number"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something of the gold is decided, and by whose word."""

    why: str
    who: str = "organiser"


@dataclass(frozen=True, slots=True)
class Adopted:
    """A new gold version: of ``changed`` ids it says something else than the one before it.

    ``post_hoc``: scores on one of them had been seen. ``apart`` are the runs that have not
    scores under both versions; ranks are among the others.
    """

    gold: GoldSummary
    changed: tuple[str, ...]
    post_hoc: bool
    differences: tuple[Difference, ...]
    apart: tuple[str, ...] = ()


def drop(db: Connection, slug: str, ids: Sequence[str], reason: Reason, act: Act) -> Adopted:
    """Drop instances: they stay known, so no run breaks, and count in no score.

    raises  Mistake, for an unknown task or id, or if nothing would be left to score
    """
    now = store.registered(db, slug, lock=True)
    after = dropped(now.gold, ids, Standing("dropped", reason.why, reason.who))
    if not after.scored.any():
        raise Mistake("nothing was dropped: no scored instance would be left")
    return adopt(db, now, after, f"gold drop: {_named(ids)}", reason, act)


def restore(db: Connection, slug: str, ids: Sequence[str], reason: Reason, act: Act) -> Adopted:
    """Let dropped instances count again, as they did before they were dropped.

    raises  Mistake, for an unknown task or id, or one that is not dropped; or if a run that came
            in since does not answer it
    """
    now = store.registered(db, slug, lock=True)
    before = store.standings_before(db, slug, ids)
    answers = dict(zip(now.gold.ids, now.gold.answers, strict=True))
    waiting = Standing("unjudged", _WAITING)
    back = {
        name: waiting
        if now.task.kind == "interval" and not answers.get(name)
        else before.get(name, Standing())
        for name in ids
    }
    after = restored(now.gold, back)
    return adopt(db, now, after, f"gold restore: {_named(ids)}", reason, act)


def replace_gold(
    db: Connection, slug: str, read: Callable[[Task], Gold], reason: Reason, act: Act
) -> Adopted:
    """Take over what a new file says of the known instances: labels, subsets, clusters, splits.

    read    how the file is read for a task
    raises  Mistake, for an unknown task, if the file lacks a known id or has a new one after runs
            came in, or if it says what is known
    """
    now = store.registered(db, slug, lock=True)
    new = read(now.task)
    if now.task.answers != "judged" and not any(new.answers):
        raise Mistake("nothing was replaced: the file has no answers")
    after = replaced(now.gold, new, slug, growing=not store.runs_in(db, slug))
    if not after.scored.any():
        raise Mistake("nothing was replaced: no scored instance would be left")
    return adopt(db, now, after, "gold replace", reason, act)


def adopt(  # noqa: PLR0913, PLR0917, a change, what to call it, and whose it is
    db: Connection, now: Registered, after: Gold, what: str, reason: Reason, act: Act
) -> Adopted:
    """Keep a gold as the next version of a task that is locked, and score every run again.

    what    how the log calls it
    raises  Mistake, if it says what the version before it says, or a stored run would no longer
            be accepted; then nothing is changed
    """
    slug, at = now.task.slug, act.at
    before = store.snapshot(db, at, [slug]).tasks[0]
    word = Word(reason.why, reason.who, at, _seen(db, before, at))
    after, changed = decided(now.gold, after, word)
    if not changed:
        raise Mistake(f"the gold of {slug!r} says that already: there is no new version")
    not_before(at, max(one.registered for one in secrets(db, slug)), f"the last gold of {slug!r}")
    summary = store.add_gold(
        *(db, slug, after, reason.why, act.salt, at),
        who=reason.who,
        seen=told(before, "public", at),
    )
    store.log(db, slug, what, reason.why, at, reason.who)
    then = regraded(db, slug, at, before.entries, act.progress)
    was, is_, apart = common(before, then)
    mine = dict(zip(after.ids, after.standings, strict=True))
    return Adopted(
        summary,
        changed,
        any(mine[name].post_hoc and mine[name].when == at for name in changed),
        differences(was, is_),
        apart,
    )


def _seen(db: Connection, results: Results, at: datetime) -> frozenset[Split]:
    """The parts of the gold of which others than organisers see scores, or labels, by then.

    Labels by a release or results that teams were handed, whatever phases hide.
    """
    phases = (results.task.phase(name) for name in told(results, "own", at))
    shown = {phase.split if phase else "all" for phase in phases}
    return frozenset(
        shown | {d.split for d in store.disclosures(db, results.task.slug) if d.at <= at}
    )


def _named(ids: Sequence[str]) -> str:
    """Ids as the log names them."""
    names = tuple(dict.fromkeys(ids))
    rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + rest
