"""A gold's next version: instances dropped or restored, labels replaced, and who decided it.

Every id stays known, so no stored run breaks.
"""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from grader.errors import Mistake
from grader.model import Gold, Split, Standing, Subsets
from grader.plural import counted
from grader.tasks.names import did_you_mean, spellings

SHOWN = 20  # ids named in a message


@dataclass(frozen=True, slots=True)
class Word:
    """Who decides something about the gold, why and when.

    ``seen`` are the parts of the gold on which scores had been seen by then: what is decided
    about an instance in one of them is post hoc.
    """

    why: str
    who: str
    at: datetime
    seen: frozenset[Split] = frozenset()


@dataclass(frozen=True, slots=True)
class _Instance:
    """All that a gold says of an instance."""

    answers: tuple[str, ...]
    rejected: tuple[str, ...]
    inside: Mapping[str, str]
    cluster: str
    split: str
    standing: Standing

    @property
    def said(self) -> tuple[object, ...]:
        """What a score depends on."""
        parts = (self.answers, self.rejected, dict(self.inside), self.cluster, self.split)
        return (*parts, self.standing.status)

    def extends(self, old: "_Instance") -> bool:
        """Whether more answers are judged, and nothing that was said is taken back."""
        more = replace(self, answers=old.answers, rejected=old.rejected)
        kept = {*old.answers} <= {*self.answers} and {*old.rejected} <= {*self.rejected}
        return kept and more.said == old.said


def dropped(gold: Gold, names: Sequence[str], standing: Standing) -> Gold:
    """The gold with some instances dropped.

    raises  Mistake, naming every id that is unknown or dropped already
    """
    return _placed(gold, dict.fromkeys(names, standing), "dropped")


def restored(gold: Gold, standings: Mapping[str, Standing]) -> Gold:
    """The gold with some dropped instances back: where each stands from now on, by its id.

    raises  Mistake, naming every id that is unknown or not dropped
    """
    return _placed(gold, standings, "restored")


def _placed(gold: Gold, new: Mapping[str, Standing], verb: str) -> Gold:
    place = {name: i for i, name in enumerate(gold.ids)}
    unknown = [name for name in new if name not in place]
    near = spellings(gold.ids) if unknown else {}
    wrong = [
        f"  {n!r} is no id of this task{_apart(n, place) or did_you_mean(n, near)}"
        for n in unknown
    ]
    standings = list(gold.standing)
    for name in (n for n in new if n in place):
        now = standings[place[name]]
        if verb == "dropped" and now.status == "dropped":
            wrong.append(f"  {name!r} is dropped already: {now.reason}")
        elif verb == "restored" and now.status != "dropped":
            wrong.append(f"  {name!r} is not dropped")
        standings[place[name]] = new[name]
    if wrong:
        raise Mistake(f"nothing was {verb}:", *wrong, *([_example(gold)] if unknown else []))
    return replace(gold, standings=tuple(standings), version=gold.version + 1)


def replaced(gold: Gold, new: Gold, slug: str, *, growing: bool) -> Gold:
    """What a new file says of the known instances, in the order in which they are known.

    What was dropped stays so until it is restored, and need not be in the file. In a judged
    task the file says nothing of answers: what was judged stays.

    growing  whether new ids may come in, after the others: as long as no run is in
    raises   Mistake, naming the ids that the file lacks, or that may not come in
    """
    old, now = _instances(gold), _instances(new)
    gone = [n for n, known in old.items() if n not in now]
    lost = [n for n in gone if old[n].standing.status != "dropped"]
    more = [n for n in now if n not in old]
    if lost or (more and not growing):
        said = list(_astray(gold, lost, [] if growing else more))
        drop = f"grader gold drop {slug} {' '.join(map(shlex.quote, lost[:SHOWN]))} --why '…'"
        raise Mistake("nothing was replaced:", *said, mend=drop if lost else "")
    judged = bool(gold.rejected)
    made = {n: _follows(known, now.get(n, known), judged=judged) for n, known in old.items()}
    made |= {n: now[n] for n in more}
    return _gold(made, gold, new, version=gold.version + 1)


def _follows(known: _Instance, said: _Instance, *, judged: bool) -> _Instance:
    """What is known of an instance, with what a new file says of it."""
    standing = said.standing
    if known.standing.status in ("dropped", standing.status):
        standing = known.standing
    found = replace(said, standing=standing)
    return replace(found, answers=known.answers, rejected=known.rejected) if judged else found


def differs(gold: Gold, new: Gold, slug: str) -> bool:
    """Whether a file says of the known instances something else than is known."""
    try:
        after = replaced(gold, new, slug, growing=False)
    except Mistake:
        return True
    return bool(_changed(_instances(gold), _instances(after)))


def decided(old: Gold, new: Gold, word: Word) -> tuple[Gold, tuple[str, ...]]:
    """The new gold with the word on every instance of which it says something else than before.

    A reason that comes with a drop stays. Answers that are judged now and were not before are
    nobody's change of mind, whatever was seen.

    returns  it, and the ids of these instances
    """
    before, after = _instances(old), _instances(new)
    changed = _changed(before, after)
    for name in changed:
        now, was = after[name], before.get(name)
        drops = now.standing.status == "dropped"
        if was is not None and drops and was.standing.status == "dropped":
            continue  # why it was dropped stays
        hit = "all" in word.seen or now.split in word.seen
        hit &= not (new.rejected and was is not None and now.extends(was))
        why = (now.standing.reason if drops else "") or word.why
        mine = replace(now.standing, reason=why, who=word.who, when=word.at, post_hoc=hit)
        after[name] = replace(now, standing=mine)
    standings = tuple(now.standing for now in after.values())
    return replace(new, standings=standings), changed


def _changed(before: Mapping[str, _Instance], after: Mapping[str, _Instance]) -> tuple[str, ...]:
    """The ids of which something else is said, in gold order."""
    return tuple(n for n, now in after.items() if n not in before or before[n].said != now.said)


def _instances(gold: Gold) -> dict[str, _Instance]:
    many = len(gold.ids)
    rows = zip(
        gold.answers,
        gold.rejected or ((),) * many,
        _inside(gold),
        gold.clusters or ("",) * many,
        gold.splits or ("",) * many,
        gold.standing,
        strict=True,
    )
    return {name: _Instance(*row) for name, row in zip(gold.ids, rows, strict=True)}


def _inside(gold: Gold) -> Iterator[dict[str, str]]:
    """Yield the subsets that each instance is in, by dimension."""
    for i in range(len(gold.ids)):
        yield {s.name: s.values[s.codes[i]] for s in gold.subsets if s.codes[i] >= 0}


def _gold(rows: Mapping[str, _Instance], old: Gold, new: Gold, version: int) -> Gold:
    """The gold of these instances, with the dimensions of the new one."""
    each = list(rows.values())
    return Gold(
        ids=tuple(rows),
        answers=tuple(row.answers for row in each),
        subsets=tuple(_cut(cut, each, old) for cut in new.subsets),
        clusters=tuple(row.cluster for row in each) if new.clusters else (),
        splits=tuple(row.split for row in each) if new.splits else (),
        standings=tuple(row.standing for row in each),
        version=version,
        rejected=tuple(row.rejected for row in each) if old.rejected else (),
    )


def _cut(new: Subsets, each: Sequence[_Instance], old: Gold) -> Subsets:
    """A dimension over these instances: the values that were known come first."""
    known = (value for cut in old.subsets if cut.name == new.name for value in cut.values)
    inside = [row.inside.get(new.name) for row in each]
    wanted = {*new.values, *inside}
    values = tuple(v for v in dict.fromkeys((*known, *new.values)) if v in wanted)
    place = {value: i for i, value in enumerate(values)}
    codes = np.array([-1 if v is None else place[v] for v in inside], dtype=np.intp)
    return Subsets(new.name, values, codes)


def _astray(gold: Gold, lost: Sequence[str], more: Sequence[str]) -> Iterator[str]:
    """Yield which ids a file lacks, and which it may not have."""
    if lost:
        yield (
            f"  the file lacks {counted(len(lost), 'id')} of {len(gold.ids)}: {_listed(lost)}; "
            "a known id stays known, and a bad one is dropped"
        )
    if more:
        near = spellings(gold.ids)
        said = ", ".join(f"{n!r}{did_you_mean(n, near)}" for n in more[:SHOWN])
        rest = f" and {len(more) - SHOWN} more" if len(more) > SHOWN else ""
        yield (
            f"  the file has {counted(len(more), 'new id')}, which no run was asked for: "
            f"{said}{rest}"
        )


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + rest


def _apart(name: str, known: Collection[str]) -> str:
    """The hint for several ids that were given as one."""
    parts = [part.strip() for part in name.split(",") if part.strip()]
    several = len(parts) > 1 and any(part in known for part in parts)
    return f"; give ids one by one, without commas: {' '.join(parts)}" if several else ""


def _example(gold: Gold) -> str:
    joined = " (the parts of an id are joined by '/')" if "/" in gold.ids[0] else ""
    return f"  an id of this task is {gold.ids[0]!r}{joined}"
