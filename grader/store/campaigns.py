"""Campaigns: each a text of campaign.toml, which names its tasks."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, Row, insert, select, update

from grader.campaign import parse
from grader.errors import Mistake
from grader.model import Campaign, Member
from grader.store.engine import alone
from grader.store.log import log
from grader.store.names import folded, storable, unknown
from grader.store.schema import campaigns as table
from grader.store.tasks import slugs

_LONGEST = 1_000_000  # letters of a campaign.toml


def campaigns(db: Connection) -> tuple[Campaign, ...]:
    """The campaigns in the order of their registration."""
    return tuple(parse(text) for text in db.scalars(select(table.c.config).order_by(table.c.id)))


def campaign(db: Connection, slug: str) -> Campaign:
    """The campaign of that address; Mistake if there is none."""
    return parse(_row(db, slug).config)


def add_campaign(db: Connection, text: str, at: datetime) -> Campaign:
    """Keep a campaign as the text of its campaign.toml; Mistake if it is there.

    raises  Mistake, also for a task that is another campaign's
    """
    alone(db, "campaigns")
    new, known = parse(text), campaigns(db)
    if any(old.slug == new.slug for old in known):
        said = f"there is already a campaign {new.slug!r}"
        raise Mistake(said, mend="grader campaign update campaign.toml")
    _apart(new, known)
    row = {"slug": new.slug, "config": storable("the campaign's file", text, _LONGEST)}
    db.execute(insert(table).values(row | {"created": at, "changed": at}))
    _told(db, (), new, at)
    return new


def set_campaign(db: Connection, text: str, at: datetime) -> tuple[Campaign, Campaign]:
    """Put another text in the place of a campaign's; return it as it was, and as it is.

    raises  Mistake, for one that is not there, or for a task that is another campaign's
    """
    alone(db, "campaigns")
    new = parse(text)
    old = campaign(db, new.slug)
    _apart(new, (other for other in campaigns(db) if other.slug != new.slug))
    row = {"config": storable("the campaign's file", text, _LONGEST), "changed": at}
    db.execute(update(table).where(table.c.slug == new.slug).values(row))
    _told(db, old.tasks, new, at)
    return old, new


def tracks(db: Connection) -> dict[str, tuple[str, tuple[str, ...]]]:
    """A track's name as it is spelled, and its tasks: one by its slug, or all that campaigns say.

    By the folded name; registered tasks come first, then those that campaigns plan.
    """
    members = [member for found in campaigns(db) for member in found.tasks]
    named = [(slug, slug) for slug in (*slugs(db), *(member.slug for member in members))]
    named += [(member.track, member.slug) for member in members if member.track]
    found: dict[str, tuple[str, dict[str, None]]] = {}
    for name, slug in named:
        found.setdefault(folded(name), (name, {}))[1][slug] = None
    return {key: (name, tuple(of)) for key, (name, of) in found.items()}


def _apart(new: Campaign, others: Iterable[Campaign]) -> None:
    """Mistake if a task of a campaign is in another one too: it would be counted twice."""
    mine = {member.slug for member in new.tasks}
    for other in others:
        if both := [member.slug for member in other.tasks if member.slug in mine]:
            said = f"{', '.join(both)} of {new.slug!r} belongs to the campaign {other.slug!r}"
            raise Mistake(said, mend=f"grader campaign show {other.slug}")


def _told(db: Connection, before: Iterable[Member], new: Campaign, at: datetime) -> None:
    """Write into the log of each task that is registered what the campaign now says of it."""
    was, now = ({m.slug: m for m in members} for members in (before, new.tasks))
    for slug in slugs(db):
        if was.get(slug) != now.get(slug):
            log(db, slug, f"campaign: {_place(now.get(slug), new.slug)}", "", at)


def _place(member: Member | None, of: str) -> str:
    if member is None:
        return f"no longer a task of {of}"
    what = "a dry run" if member.dry_run else "a task"
    return ", ".join((f"{what} of {of}", *member.kind))


def _row(db: Connection, slug: str) -> Row[int, str, str]:
    found = select(table.c.id, table.c.slug, table.c.config).where(table.c.slug == slug)
    row = db.execute(found).one_or_none()
    if row is None:
        known = db.scalars(select(table.c.slug)).all()
        mend = "grader campaign list, or: grader campaign add campaign.toml"
        raise unknown(db, "campaign", slug, known, mend)
    return row
