"""A team's own results as a folder that opens from disk: pages, and a table for each run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.board import lead, printed
from grader.data import folder
from grader.model import Entry, Field, Itemised, Parcel, Portion, Result
from grader.site import text
from grader.site.cases import disputed
from grader.site.environment import environment
from grader.site.items import by_name, table
from grader.site.sheets import Sheet, sheet

IN_VIEW = 100  # instances that a page shows; the file has all
_STATIC = ("icon.svg", "site.css")
_ORDER = {"wrong": 0, "missing": 1, "waiting": 2, "right": 3, "dropped": 4}


@dataclass(frozen=True, slots=True)
class Item:
    """An instance of a run as its page shows it; empty where the others' figures are not told."""

    id: str
    answer: str | None
    confidence: str
    result: str
    subsets: tuple[str, ...]
    disputes: str
    right: str
    reward: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """A run, how its team's portion stands in a sheet, and what of its instances is in view.

    ``disputed`` are the numbers of disputes by instance.
    """

    on: Sheet
    entry: Entry
    item: Itemised
    field: Field
    disputed: Mapping[str, str]
    view: tuple[Item, ...]

    @property
    def address(self) -> str:
        """Of its page and its table, without their endings."""
        return f"{self.on.slug}/{self.entry.slug}"

    @property
    def primary(self) -> str:
        """The score that ranks, as printed."""
        results = self.on.results
        key = lead(results).key, "all"
        return printed(self.on.scores[self.entry.slug].get(key), results.task.ranking.digits)

    def count(self, result: Result) -> int:
        return self.item.results.count(result)


def line(embargo: datetime | None) -> str:
    """What stands on every page and in every row."""
    until = f"{text.utc(embargo)}" if embargo else "the organisers publish them"
    return f"Results under embargo until {until}; do not share."


def parcel_pages(parcel: Parcel) -> Iterator[tuple[str, bytes]]:
    """Yield every file of a team's folder: its path, which begins with the team's slug."""
    mark, home = line(parcel.embargo), parcel.team.slug
    env = environment(folder("templates"))
    portions = [_owns(portion) for portion in parcel.portions]
    shared = {"mark": mark, "parcel": parcel, "last": None}
    page = env.get_template("parcel/index.html").render(root="", portions=portions, **shared)
    yield f"{home}/index.html", text.printable(page)
    for own in (own for owns in portions for own in owns):
        page = env.get_template("parcel/run.html").render(root="../", own=own, **shared)
        yield f"{home}/{own.address}.html", text.printable(page)
        first = {"task": own.on.slug, "phase": own.entry.phase, "run": own.entry.name}
        yield (
            f"{home}/{own.address}.csv",
            table(own.item, first, own.disputed, own.field, mark).encode(),
        )
    for name in _STATIC:
        yield f"{home}/static/{name}", (folder("templates") / "static" / name).read_bytes()


def _owns(portion: Portion) -> tuple[Own, ...]:
    on = sheet(portion.results)
    return tuple(
        Own(on, entry, item, portion.field, of, _view(item, portion.field, of))
        for entry, item in portion.runs
        for of in (disputed(on.results.disputes, entry.slug),)
    )


def _view(item: Itemised, field: Field, of: Mapping[str, str]) -> tuple[Item, ...]:
    """The instances that lost most, the wrong and sure first."""
    reward = item.reward.tolist()
    order = sorted(
        range(len(item.ids)),
        key=lambda i: (_ORDER[item.results[i]], reward[i], by_name(item.ids[i])),
    )
    return tuple(_item(item, field, of, i) for i in order[:IN_VIEW])


def _item(item: Itemised, field: Field, of: Mapping[str, str], i: int) -> Item:
    told = not field.why
    figures = [values[i] for values in (field.least, field.median, field.most)] if told else []
    stated: Sequence[float] = item.bounds[i] if item.bounds.size else [item.confidence[i]]
    return Item(
        item.ids[i],
        item.answers[i],
        " to ".join(_short(value) for value in stated),
        item.results[i],
        item.subsets[i],
        of.get(item.ids[i], ""),
        field.right[i] if told else "",
        _short(float(item.reward[i])),
        tuple(_short(value) for value in figures),
    )


def _short(value: float) -> str:
    """A number at no more than three decimals; a dash for none.

    >>> _short(0.8765), _short(1.0), _short(float("nan"))
    ('0.876', '1', '–')
    """
    return "–" if value != value else f"{value:.3g}" if abs(value) < 1 else f"{value:g}"  # noqa: PLR0124, NaN
