"""The folder of files that an overview paper needs: for organisers, never for a site."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.export.across import across
from grader.export.agreements import agreements
from grader.export.article import article, matrix, section
from grader.export.frozen import frozen
from grader.export.hardness import hardness
from grader.export.macros import lines, macros
from grader.export.readme import readme
from grader.export.standings import scored, standings
from grader.model import Campaign, GoldSummary, Overview
from grader.tabular.board import board
from grader.tabular.citation import Work, bibtex, cff, work_of
from grader.tabular.latex import tabular
from grader.tabular.sheet import Table
from grader.version import __version__

PUBLIC = "The gold of these tasks is public."
_WIDE = "influence"  # a column for each run: no LaTeX, and in JSON a list for each run


@dataclass(frozen=True, slots=True)
class Subject:
    """What is written about: a campaign, or a task alone; and at which instant."""

    slug: str
    title: str
    at: datetime
    campaign: Campaign | None = None
    organisers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """An overview, the folder of its files, and its tables."""

    found: Overview
    folder: str
    tables: tuple[Table, ...]

    @property
    def heading(self) -> str:
        results = self.found.results
        return results.task.title + (f": {results.phase.name}" if results.phase else "")

    @property
    def prefix(self) -> tuple[str, str]:
        """What its macros begin with."""
        results = self.found.results
        return results.task.slug, results.phase.name if results.phase else ""

    @property
    def shown(self) -> list[Table]:
        """The tables that LaTeX has."""
        return [table for table in self.tables if table.shown]


def folder(found: Sequence[Overview], of: Subject) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file."""
    parts = _parts(found)
    whole = across(found, of.campaign, of.at) if of.campaign else None
    groups = [macros(p.prefix, p.shown, rest=rest) for p in parts for rest in (False, True)]
    top = macros((of.slug, "results"), whole[:1]) if whole else []
    named = lines([*groups, top])
    for part, few, rest in zip(parts, named[:-1:2], named[1::2], strict=True):
        texts = _files(part, {"macros": few, "more-macros": rest}, _notice([part.found], of.at))
        yield from ((path, text.encode()) for path, text in texts)
    notice = _notice(found, of.at)
    if whole:
        yield from ((path, text.encode()) for path, text in _across(*whole, named[-1], notice))
    for path, text in _whole(parts, of, notice, whole):
        yield path, text.encode()


def _notice(found: Sequence[Overview], at: datetime) -> str:
    """Until when the files are for organisers alone."""
    golds = {one.results.task.slug: one.results.gold for one in found}
    secret = [f"{slug} (v{g.version})" for slug, g in golds.items() if not g.public(at)]
    if not secret:
        return PUBLIC
    of = " and ".join(filter(None, (", ".join(secret[:-1]), secret[-1])))
    return f"For organisers, until the gold of {of} is released: what is right follows from it."


def _across(
    long: Table, crossed: Table, named: list[str], notice: str
) -> Iterator[tuple[str, str]]:
    """Yield the files of the results of a campaign."""
    top = f"% {notice}\n"
    yield "results.csv", long.csv()
    yield "results.tex", top + tabular(crossed)
    yield "macros.tex", top + "".join(f"{line}\n" for line in named)


def _parts(found: Sequence[Overview]) -> list[_Part]:
    taken: set[str] = set()
    parts = []
    for one in found:
        slug, phase = one.results.task.slug, one.results.phase
        path = f"{slug}/{_plain(phase.name)}" if phase else slug
        name, k = path, 1
        while name in taken:
            k += 1
            name = f"{path}-{k}"
        taken.add(name)
        tables = (*standings(one), *frozen(one), *agreements(one), *hardness(one))
        parts.append(_Part(one, name, tables))
    return parts


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-") or "phase"


def _files(
    part: _Part, named: Mapping[str, Sequence[str]], notice: str
) -> Iterator[tuple[str, str]]:
    top = f"% {notice}\n"
    for table in part.tables:
        yield f"{part.folder}/{table.name}.csv", table.csv()
        if table.shown:
            yield f"{part.folder}/{table.name}.tex", top + tabular(table)
    table = board(part.found.results, scored(part.found))
    yield f"{part.folder}/board.tex", top + tabular(table)
    yield f"{part.folder}/matrix.tex", top + matrix(part.found)
    for name, each in named.items():
        yield f"{part.folder}/{name}.tex", top + "".join(f"{line}\n" for line in each)


def _whole(
    parts: Sequence[_Part], of: Subject, notice: str, whole: tuple[Table, Table] | None
) -> Iterator[tuple[str, str]]:
    """Yield the files that are of all parts."""
    yield "overview.json", _json(parts, of, notice, whole[0].records() if whole else [])
    first = [section(of.title, [(whole[1].title, "results")])] if whole else []
    sections = [*first, *(section(part.heading, _sets(part)) for part in parts)]
    inputs = [*(["macros"] if whole else []), *(f"{part.folder}/macros" for part in parts)]
    yield "overview.tex", article(of.title, notice, inputs, sections)
    yield from _cited(parts, of)
    tables = {table.name: table for part in parts for table in part.tables}
    listed = (*(whole[:1] if whole else ()), *tables.values())
    yield "README.md", readme(of.title, notice, listed)


def _cited(parts: Sequence[_Part], of: Subject) -> Iterator[tuple[str, str]]:
    """Yield the files that say how to cite."""
    golds = {part.found.results.task.slug: part.found.results for part in parts}
    said = of.organisers, of.at
    works = [work_of(results, _year(parts, slug), *said) for slug, results in golds.items()]
    if of.campaign:
        days = [work.released for work in works if work.released]
        last = max(days) if len(days) == len(works) else None
        whole = Work(f"{of.slug}-campaign", of.title, of.organisers, "", last, year=_year(parts))
        yield "CITATION.cff", cff(whole)
        yield from ((f"{work.slug}/CITATION.cff", cff(work)) for work in works)
        works.insert(0, whole)
    else:
        yield "CITATION.cff", cff(works[0])
    yield "references.bib", bibtex(works)


def _sets(part: _Part) -> list[tuple[str, str]]:
    """The titles and paths of a part's LaTeX tables."""
    results = part.found.results
    now = f"The board under gold v{results.gold.version}"
    if of_table := [t for t in part.tables if t.name == "frozen"]:
        names = dict.fromkeys(str(row[0]) for row in of_table[0].rows)
        now += f"; official results are frozen as {', '.join(names)}"
    whole = [(now, "board"), (f"{_of(part, 'pairs').title}: p and differences", "matrix")]
    whole += [(t.title, t.name) for t in part.tables if t.shown]
    return [(title, f"{part.folder}/{name}") for title, name in whole]


def _of(part: _Part, name: str) -> Table:
    return next(table for table in part.tables if table.name == name)


def _released(gold: GoldSummary, at: datetime) -> datetime | None:
    """When the gold was released, if it was by then."""
    return gold.released if gold.public(at) else None


def _year(parts: Sequence[_Part], slug: str = "") -> int | None:
    """The year in which the last run came in to a task, or to all; None if there is none."""
    mine = (part.found.results for part in parts if slug in ("", part.prefix[0]))
    return max((e.received.year for results in mine for e in results.entries), default=None)


def _json(
    parts: Sequence[_Part], of: Subject, notice: str, results: Sequence[Mapping[str, object]]
) -> str:
    """One document; README.md says what each key holds."""
    campaign = None
    if of.campaign:
        tasks = [
            {"task": m.slug, "track": m.track, "language": m.language, "subtask": m.subtask}
            for m in of.campaign.tasks
        ]
        campaign = {"slug": of.campaign.slug, "title": of.campaign.title, "tasks": tasks}
    whole = {
        "notice": notice,
        "grader": __version__,
        "organisers": list(of.organisers),
        "campaign": campaign,
        "results": list(results),
        "parts": [_part(part, of.at) for part in parts],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _part(part: _Part, at: datetime) -> Mapping[str, object]:
    results, influences = part.found.results, part.found.influences
    released = _released(results.gold, at)
    head = {
        "task": results.task.slug,
        "title": results.task.title,
        "phase": results.phase.name if results.phase else None,
        "folder": part.folder,
        "primary": results.task.primary,
        "digits": results.task.ranking.digits,
        "gold": {
            "version": results.gold.version,
            "commitment": results.gold.commitment,
            "released": released.isoformat() if released else None,
        },
    }
    wide = {
        "instances": [one.id for one in part.found.instances],
        "moved": {one.run: list(one.moved) for one in influences if one.without},
        "notes": {one.run: one.why for one in influences if one.why},
    }
    tables = {t.name: t.records() for t in part.tables if t.name != _WIDE}
    return head | tables | {_WIDE: wide}
