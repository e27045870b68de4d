"""Runs side by side: what the compare page reads once somebody has chosen two to four of them.

Pages opened from a folder may load classic scripts and nothing else, so data travels in these: a
call with JSON in it. A run's file holds what its own page prints, and hangs on no other run.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.board import lead, shown
from grader.measures import find, within
from grader.model import Entry, Versus
from grader.site.addresses import Part
from grader.site.cells import Cell, span
from grader.site.families import family
from grader.site.judging import open_answers
from grader.site.lone import Lone
from grader.site.pictures.coverage import printed_points
from grader.site.pictures.names import both
from grader.site.pictures.runs import named
from grader.site.sheets import Contest, Sheet, part_n, shown_grading, tally
from grader.site.tables import Profile, profile
from grader.site.versus import Compared, printed_pairs, versus

WIDEST = 34  # narrow letters of a run's name below a picture


def comparable(contest: Contest) -> tuple[Sheet, ...]:
    """The phases of a task, or the task without any, in which a run is shown with scores.

    One is enough: what its own page links to does not hang on other runs.
    """
    return tuple(on for on in contest.sheets if _runs(on))


def files(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """Yield every file that the page loads, but for those of runs."""
    boards = comparable(contest)
    if not boards:
        return
    home = f"{contest.slug}/compare"
    found = [_pairs(on) for on in boards]
    told = [_board(contest, on, pairs) for on, pairs in zip(boards, found, strict=True)]
    yield f"{home}/data.js", _script("boards", told)
    for each in found:
        for slug, pairs in each.items():
            yield f"{home}/pairs/{slug}.js", _script("pairs", pairs, slug)


def of_run(one: Lone, table: Profile) -> Iterator[tuple[str, bytes]]:
    """Yield the file of a run that the page loads when it is chosen, if it has scores."""
    if shown_grading(one.entry):
        content = _script("run", _run(one.on, one.entry, table), one.entry.slug)
        yield f"{one.contest.slug}/compare/{one.entry.slug}.js", content


def _runs(on: Sheet) -> tuple[Entry, ...]:
    """The runs with scores, ranked ones first, as the board has them."""
    return tuple(row.entry for row in on.board.rows if shown_grading(row.entry))


def _places(on: Sheet) -> tuple[Part | None, ...]:
    """The whole, and each subset in the order in which a run's page has them."""
    return (None, *(part for _, group in on.dimensions for part in group))


def _script(what: str, found: object, name: str = "") -> bytes:
    r"""A call of the page's reader with data that can end no script and is no code.

    >>> print(_script("run", ["</script>"], "a-1").decode().strip())
    compared("run", "a-1", ["\u003c/script>"]);
    """
    escaped = _text(found).replace("<", "\\u003c")
    return f"compared({_text(what)}, {_text(name)}, {escaped});\n".encode("ascii")


_text = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode


def _board(contest: Contest, on: Sheet, pairs: Iterable[str]) -> dict[str, Any]:
    """What is said of a phase whatever is chosen, and the runs to choose from."""
    ranks = {row.entry.slug: row.rank for row in on.board.ranked}
    table, primary = profile(on, _runs(on)[0]), within(find(on.results.task.primary))
    parts = _places(on)
    return {
        "name": on.name,
        "home": contest.home(on),
        "measures": [[m.title, m.better, family(m), m.key] for m, _ in table.rows],
        "lead": [m.key for m, _ in table.rows].index(primary.key),
        "parts": [
            [p.dimension, p.value, p.n] if p else ["", "", on.results.gold.scored] for p in parts
        ],
        "family": _family(on),
        "pairs": sorted(pairs),
        "compares": _compares(on),
        "runs": [[e.slug, e.team, e.name, ranks.get(e.slug)] for e in _runs(on)],
    }


def _compares(on: Sheet) -> str:
    """Which runs are compared in pairs."""
    found = on.results.versus.get("all")
    many = found and found.comparison and found.comparison.adjacent
    return "neighbours among so many ranked runs" if many else "ranked runs"


def _family(on: Sheet) -> list[Any]:
    """The measure that is compared on a board, on how many instances, or why on none; and how."""
    found, title = on.results.versus.get("all"), lead(on.results).title
    nobody = "runs under pseudonyms are not" if on.results.veiled else "nobody did"
    why = found.reason if found else nobody
    if found is None or found.comparison is None:
        return [title, 0, why, ""]
    how = "bound" if found.comparison.adjacent else "bootstrap"
    return [title, found.n, "", how]


def _run(on: Sheet, entry: Entry, table: Profile) -> dict[str, Any]:
    """A run's scores as printed, by measure and part, its reliability diagram and its curve."""
    bins, curve = _bins(on, entry), printed_points(entry, on.results.task.ranking.digits)
    return {
        "n": [part_n(on, entry, part) for part in _places(on)],
        "scores": [_row(cells) for _, cells in table.rows],
        "label": both(entry.team, entry.name, WIDEST),
        "bins": bins,
        "curve": curve,
        "undrawn": "" if bins and curve else _undrawn(on, entry),
    }


def _row(cells: Sequence[Cell]) -> list[str | tuple[str, ...]]:
    """Each value's text, alone or with its interval, what was noted of it, and its floor."""
    texts, marks, notes, _, _, lows, highs, _, floors, within, _ = zip(*cells, strict=True)
    values = [text + "†" if mark == "†" else text for text, mark in zip(texts, marks, strict=True)]
    least = ["within floor " if one else "floor " for one in within]
    said = [one + floor if floor else "" for one, floor in zip(least, floors, strict=True)]
    every = zip(values, map(span, lows, highs), notes, said, strict=True)
    return [one if any(one[1:]) else one[0] for one in every]


def _bins(on: Sheet, entry: Entry) -> list[list[Any]]:
    """The ends of each bin, its n, and its mean confidence and accuracy as printed."""
    graded = shown_grading(entry)
    if graded is None or open_answers(graded) or on.results.task.kind != "answers":
        return []
    digits, many = on.results.task.ranking.digits, len(graded.reliability)
    return [
        [i / many, (i + 1) / many, b.n, shown(b.confidence, digits), shown(b.accuracy, digits)]
        for i, b in enumerate(graded.reliability)
        if b.n
    ]


def _undrawn(on: Sheet, entry: Entry) -> str:
    """Why a run has no diagram or no curve; empty where runs of its task never have one."""
    if on.results.task.kind != "answers":
        return ""
    if open_answers(shown_grading(entry)):
        return "not all of its answers are judged yet"
    return "none of its answers is scored"


def _pairs(on: Sheet) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Each run less every other that stands after it on the board, by the number of the part."""
    names = {entry.slug: named(entry) for entry in _runs(on)}
    digits = on.results.task.ranking.digits
    found: dict[str, dict[str, dict[str, list[str]]]] = {slug: {} for slug in names}
    for number, part in enumerate(_places(on)):
        compared = on.results.versus.get(part.key if part else "all")
        for a, b, told in _told(compared, names, digits):
            found[a].setdefault(b, {})[str(number)] = told
    return {slug: pairs for slug, pairs in found.items() if pairs}


def _told(
    found: Versus | None, names: Mapping[str, str], digits: int
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield two runs in their order, and the first less the second, as printed.

    That is the difference, its interval, adjusted p, whether told apart, and why it is not known.

    names  what runs are called, by their slugs, in the order of the board
    """
    if found is None or found.comparison is None:
        return
    made, slugs = found.comparison, found.slugs
    called, order = [names[slug] for slug in slugs], {slug: i for i, slug in enumerate(names)}
    turned = [order[slugs[pair.a]] > order[slugs[pair.b]] for pair in made.pairs]
    printed = printed_pairs(made.pairs, turned, digits)
    for pair, back, numbers in zip(made.pairs, turned, zip(*printed, strict=True), strict=True):
        if pair.low is None or pair.high is None:
            told = [*numbers, "", made.why(pair, called)]
        else:
            told = [*numbers, "yes" if pair.told_apart else "no", ""]
        a, b = slugs[pair.a], slugs[pair.b]
        yield (b, a, told) if back else (a, b, told)


def above(on: Sheet) -> Compared:
    """Each ranked run against the row above it: what the page says without script."""
    return versus(on, None, *on.columns(None, [tally(on.results)]))
