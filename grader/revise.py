"""What organisers change after a task is registered: its file."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NoReturn

from grader import store
from grader.board import GUARDED, in_use
from grader.deadlines import collision, overtaken, readmit
from grader.disclosure import notes
from grader.errors import Mistake
from grader.model import (
    Difference,
    Entry,
    Gold,
    GoldSummary,
    Task,
)
from grader.rescore import Act, entries, rescore
from grader.resolving import resolve
from grader.store import Connection, Registered
from grader.store.opening import secrets
from grader.tasks import parse
from grader.tasks.standing import differs
from grader.tasks.update import Change, change, orphaned
from grader.versioning import Adopted

_RULES = ("judging.rule", "judging.chair")


@dataclass(frozen=True, slots=True)
class Revision:
    """What a change did. ``gold`` is the new gold version, None if the gold is the same.

    The slugs of runs that were late and are in time now (``timely``), of such as stay late
    because their team has no slot left (``crowded``), and of runs that came after a close that
    was moved before them and stay in time (``overtaken``). ``notes``: what may not be meant.
    """

    change: Change
    gold: GoldSummary | None
    differences: tuple[Difference, ...]
    timely: tuple[str, ...] = ()
    crowded: tuple[str, ...] = ()
    overtaken: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _add(db: Connection, now: Registered, gold: Gold, act: Act) -> GoldSummary:
    """Keep a new gold, in which stays dropped what was."""
    old = zip(now.gold.ids, now.gold.standing, strict=True)
    kept = {i: standing for i, standing in old if standing.status == "dropped"}
    standings = tuple(kept.get(i, s) for i, s in zip(gold.ids, gold.standing, strict=True))
    newer = replace(gold, version=now.gold.version + 1, standings=standings)
    return store.add_gold(db, now.task.slug, newer, "task update", act.salt, act.at)


def update_task(db: Connection, task: Task, text: str, gold: Gold, act: Act) -> Revision:
    """Take over a changed task file, and a changed gold while the task has no run.

    returns  the keys that changed, and how the stored runs' scores differ
    raises   Mistake, if what decides over runs would change after there are some
    """
    at = act.at
    now = store.registered(db, task.slug, lock=True)
    before = entries(db, task.slug, at)
    found = change(parse(now.config, task.slug), task)
    other = _other(now.gold, gold, task.slug, bound=bool(before))
    if before and (found.fixed or other):
        _refuse(task, found.fixed, other=other)
    _keep_phases(db, task, before)
    _keep_names(db, parse(now.config, task.slug), task, (before, at))
    store.set_config(db, task.slug, text, at)
    after = _extended(db, task.slug)
    summary = _add(db, now, gold, act) if other else None
    if found.keys or other:
        what = ", ".join((*found.keys, *(["gold"] if other else [])))
        store.log(db, task.slug, f"task update: {what}", "", at)
    back = readmit(db, after, before, "", at)
    judged = _judged_anew(db, task, found, act)
    if judged is not None:  # every run is scored again under it
        again = tuple(key for key in found.keys if key in (*found.rescoring, *_RULES))
        found, summary = replace(found, rescoring=again), judged.gold
        differences = judged.differences
    else:
        again = found.rescoring
        differences = rescore(db, task.slug, at, before, act.progress) if again else ()
    return Revision(
        found,
        summary,
        differences,
        back.timely,
        back.crowded,
        tuple(entry.slug for entry in before if overtaken(entry, now, after)),
        (
            *notes(after.task, store.disclosures(db, task.slug), at),
            *(_shown_less(now, after, at) if before and not _told(db, task) else ()),
        ),
    )


def _shown_less(before: Registered, after: Registered, at: datetime) -> Iterator[str]:
    """Yield what pages show no more, if there is a phase now that takes runs and was none."""
    old, new = (in_use(one.task, one.extensions, None, at) for one in (before, after))
    if new and not old:
        yield (
            f"as long as a phase takes runs, pages show no subset of fewer than {GUARDED.subset} "
            f"instances or with fewer than {GUARDED.sides} right or wrong answers, and no point "
            f"or bin of fewer than {GUARDED.part}: what earlier pages showed of such goes when "
            "you publish again"
        )


def _judged_anew(db: Connection, task: Task, found: Change, act: Act) -> Adopted | None:
    """What judges said, resolved by another rule: a new gold version if it comes to something."""
    keys = [key for key in found.keys if key in _RULES]
    if task.answers != "judged" or not keys:
        return None
    now = store.registered(db, task.slug)
    return resolve(db, now, f"{' and '.join(keys)} changed", act).adopted


def _refuse(task: Task, fixed: Sequence[str], *, other: bool) -> NoReturn:
    """Mistake: this may not change, or not in this way, once there are runs."""
    what = ", ".join((*fixed, *(["the gold"] if other else [])))
    by = f"grader gold replace {task.slug} {shlex.quote(task.gold.file)} --why '…'"
    raise Mistake(
        f"{what} of {task.slug!r} may not change now that there are runs",
        mend=f"put {', '.join(fixed)} back, or add a task of another name" if fixed else by,
    )


def _extended(db: Connection, slug: str) -> Registered:
    """The task as its file is now; Mistake if its phases, as they were extended, collide."""
    after = store.registered(db, slug)
    if wrong := collision(after):
        raise Mistake(
            f"phases of {slug!r} were extended, and with that {wrong}",
            mend=f"grader phase list {slug}",
        )
    return after


def _keep_phases(db: Connection, task: Task, before: Sequence[Entry]) -> None:
    """Mistake if runs, or files that were promised, are of a phase that would be gone."""
    teams = (store.past(db, task.slug, team.name) for team in store.teams(db))
    promised = (phase for past in teams for phase, _ in sorted(past.committed))
    if lost := orphaned(task, (*(entry.phase for entry in before), *promised)):
        raise Mistake(
            f"runs or promised files of {task.slug!r} are in phase "
            f"{', '.join(map(repr, lost))}, and there would be no such phase",
            mend="keep the phase under that name; its dates and limits may change",
        )


def _keep_names(
    db: Connection, old: Task, new: Task, runs: tuple[Sequence[Entry], datetime]
) -> None:
    """Mistake if a phase would have pseudonyms whose runs could be read with names before."""
    before, at = runs
    for phase in new.phases:
        was = old.phase(phase.name)
        if not phase.veiled(at):
            continue
        if was is not None and was.names == "pseudonyms":
            why = "its reveal was over: names are known" if was.revealed(at) else ""
        elif any(entry.phase == phase.name for entry in before):
            why = "runs are in, and their names may have been read"
        else:
            why = "the gold is released, and its key leads to names" if _told(db, new) else ""
        if why:
            raise Mistake(
                f"phase {phase.name!r} of {new.slug!r} cannot have pseudonyms any more: {why}",
                mend='put its names and its reveal back in task.toml, or names = "teams"',
            )


def _told(db: Connection, task: Task) -> bool:
    """Whether the gold is public in any version."""
    return any(secret.released is not None for secret in secrets(db, task.slug))


def _other(now: Gold, new: Gold, slug: str, *, bound: bool) -> bool:
    """Whether a gold file says something else; once runs are in (``bound``), in any order."""
    return differs(now, new, slug) if bound else _content(new) != _content(now)


def _content(gold: Gold) -> tuple[object, ...]:
    """What a gold file says, without what was decided since."""
    subsets = tuple((s.name, s.values, s.codes.tobytes()) for s in gold.subsets)
    return gold.ids, gold.answers, subsets, gold.clusters, gold.splits
