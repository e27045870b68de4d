"""Instants as people write and read them: with a zone, in UTC and "anywhere on Earth"."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

AOE = timezone(timedelta(hours=-12))  # "anywhere on Earth": a day ends where it ends last


def instant(text: str, *, end: bool = False) -> datetime | None:
    """The instant of a text, in UTC; of a date with AoE its first, or with ``end`` the next day's.

    None if the text is neither, or names no zone.

    >>> instant("2027-03-01 AoE", end=True).isoformat()
    '2027-03-02T12:00:00+00:00'
    >>> instant("2027-03-01T12:00:00") is None
    True
    """
    try:
        if found := re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]?AoE", text.strip()):
            day = date.fromisoformat(found[1]) + timedelta(days=int(end))
            moment = datetime(day.year, day.month, day.day, tzinfo=AOE)
        else:
            moment = datetime.fromisoformat(text.strip())
        zoned = moment.tzinfo is not None and 1970 < moment.year < 9000
        return moment.astimezone(UTC) if zoned else None
    except (ValueError, OverflowError):
        return None


def said(moment: datetime) -> str:
    """An instant for people, in UTC and AoE.

    >>> said(datetime(2027, 3, 2, 12, tzinfo=UTC))
    '2027-03-02 12:00:00 UTC (2027-03-02 00:00:00 AoE)'
    """
    utc, aoe = moment.astimezone(UTC), moment.astimezone(AOE)
    return f"{utc:%Y-%m-%d %H:%M:%S} UTC ({aoe:%Y-%m-%d %H:%M:%S} AoE)"
