"""How a task is cited: CITATION.cff and BibTeX, of what is known and nothing else."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from grader.model import Results
from grader.tabular.latex import text


@dataclass(frozen=True, slots=True)
class Work:
    """A task or a campaign. ``released`` is the day on which its gold was; None: it is not.

    ``year`` is that in which its last run came in, which stands in for that of a release.
    """

    slug: str
    title: str
    organisers: tuple[str, ...] = ()
    version: str = ""
    released: date | None = None
    note: str = ""
    year: int | None = None


def work_of(results: Results, year: int | None, organisers: tuple[str, ...], at: datetime) -> Work:
    """A task as it is cited at an instant.

    year  in which its last run came in
    """
    gold = results.gold
    day = gold.released.date() if gold.released and gold.public(at) else None
    note = f"Gold version {gold.version}, commitment {gold.commitment}"
    head = (results.task.slug, results.task.title, organisers, f"gold v{gold.version}")
    return Work(*head, day, note, year)


def cff(work: Work) -> str:
    """CITATION.cff in version 1.2.0 of its schema.

    It asks for an author: if no organiser is named, it is "the organisers of" the task.
    """
    authors = work.organisers or (f"The organisers of {work.title}",)
    lines = [
        "cff-version: 1.2.0",
        "message: " + _quoted("If you use this task, please cite it using these metadata."),
        "type: dataset",
        f"title: {_quoted(work.title)}",
        "authors:",
        *(f"  - name: {_quoted(name)}" for name in authors),
    ]
    if work.version:
        lines.append(f"version: {_quoted(work.version)}")
    if work.released:
        lines.append(f'date-released: "{work.released.isoformat()}"')
    return "\n".join(lines) + "\n"


def _quoted(typed: str) -> str:
    """A text as YAML has it in double quotes; whatever YAML might not take as it is, escaped."""
    return '"' + "".join(map(_letter, typed)) + '"'


def _letter(c: str) -> str:
    if c in '"\\':
        return f"\\{c}"
    if c.isprintable():
        return c
    return json.dumps(c)[1:-1] if ord(c) < 0x10000 else f"\\U{ord(c):08x}"


def bibtex(works: Sequence[Work]) -> str:
    """An entry for each; one without organisers has no author.

    The year is that of the release, else that of the last run.
    """
    return "\n".join(map(_entry, works))


def _entry(work: Work) -> str:
    fields = {
        "title": f"{{{_plain(work.title)}}}",
        "author": " and ".join(f"{{{_plain(name)}}}" for name in work.organisers),
        "year": str((work.released.year if work.released else work.year) or ""),
        "howpublished": "Shared task",
        "note": _plain(work.note),
    }
    said = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@misc{{{work.slug},\n" + ",\n".join(said) + "\n}\n"


def _plain(typed: str) -> str:
    """A text as LaTeX prints it, with braces spelled out: BibTeX counts them to find its end."""
    return text(typed).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")
