"""The folder of files that an overview paper needs: for organisers, never for a site."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.export.agreements import agreements
from grader.export.citation import Work, bibtex, cff
from grader.export.hardness import hardness
from grader.export.latex import article, matrix, section, tabular
from grader.export.macros import Names, macros
from grader.export.readme import readme
from grader.export.sheet import Table
from grader.export.standings import board, standings
from grader.model import Campaign, GoldSummary, Overview
from grader.version import __version__

GUARDED = "For organisers, until the gold is released: figures of single instances follow from it."
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


def folder(found: Sequence[Overview], of: Subject) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file."""
    parts = _parts(found)
    public = all(_released(one.results.gold, of.at) for one in found)
    notice = PUBLIC if public else GUARDED
    names = Names()
    for part in parts:
        yield from ((path, text.encode()) for path, text in _files(part, names, notice))
    for path, text in _whole(parts, of, notice):
        yield path, text.encode()


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
        parts.append(_Part(one, name, (*standings(one), *agreements(one), *hardness(one))))
    return parts


def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-") or "phase"


def _files(part: _Part, names: Names, notice: str) -> Iterator[tuple[str, str]]:
    top = f"% {notice}\n"
    for table in part.tables:
        yield f"{part.folder}/{table.name}.csv", table.csv()
        if table.shown:
            yield f"{part.folder}/{table.name}.tex", top + tabular(table)
    yield f"{part.folder}/board.tex", top + tabular(board(part.found))
    yield f"{part.folder}/matrix.tex", top + matrix(part.found)
    shown = [table for table in part.tables if table.shown]
    for name, rest in (("macros", False), ("more-macros", True)):
        lines = macros(names, part.prefix, shown, rest=rest)
        yield f"{part.folder}/{name}.tex", top + "".join(f"{line}\n" for line in lines)


def _whole(parts: Sequence[_Part], of: Subject, notice: str) -> Iterator[tuple[str, str]]:
    """Yield the files that are of all parts."""
    yield "overview.json", _json(parts, of, notice)
    sections = (section(part.heading, _sets(part)) for part in parts)
    inputs = [f"{part.folder}/macros" for part in parts]
    yield "overview.tex", article(of.title, notice, inputs, sections)
    golds = {part.found.results.task.slug: part.found.results for part in parts}
    works = [
        _work(results.task.slug, results.task.title, results.gold, of)
        for results in golds.values()
    ]
    if of.campaign:
        yield "CITATION.cff", cff(Work(of.slug, of.title, of.organisers))
        yield from ((f"{work.slug}/CITATION.cff", cff(work)) for work in works)
        works.insert(0, Work(f"{of.slug}-campaign", of.title, of.organisers))
    else:
        yield "CITATION.cff", cff(works[0])
    yield "references.bib", bibtex(works)
    tables = {table.name: table for part in parts for table in part.tables}
    yield "README.md", readme(of.title, notice, tuple(tables.values()))


def _sets(part: _Part) -> list[tuple[str, str]]:
    """The titles and paths of a part's LaTeX tables."""
    whole = [("The board", "board"), (f"{_of(part, 'pairs').title}: p and differences", "matrix")]
    whole += [(t.title, t.name) for t in part.tables if t.shown]
    return [(title, f"{part.folder}/{name}") for title, name in whole]


def _of(part: _Part, name: str) -> Table:
    return next(table for table in part.tables if table.name == name)


def _released(gold: GoldSummary, at: datetime) -> datetime | None:
    """When the gold was released, if it was by then."""
    return gold.released if gold.released is not None and gold.released <= at else None


def _work(slug: str, title: str, gold: GoldSummary, of: Subject) -> Work:
    released = _released(gold, of.at)
    note = f"Gold version {gold.version}, commitment {gold.commitment}"
    day = released.date() if released else None
    return Work(slug, title, of.organisers, f"gold v{gold.version}", day, note)


def _json(parts: Sequence[_Part], of: Subject, notice: str) -> str:
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
