"""Instants as people write and read them: with a zone, in UTC and "anywhere on Earth"."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

AOE = timezone(timedelta(hours=-12))  # "anywhere on Earth": a day ends where it ends last
_FARTHEST = timedelta(hours=14)  # no zone is further from UTC
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
# Less than what fromisoformat takes: also any letter between day and time, and weeks.
_TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
_WHOLE = re.compile(f"{_DAY}[T ]{_TIME}(Z|[+-][0-9]{{2}}:?[0-9]{{2}})")


def exact(text: str) -> datetime | None:
    """The instant of a date, T or a space, a time, and Z or an offset; None for anything else.

    Years are 1971 to 8999, offsets at most 14 hours.

    >>> exact("2027-03-01T12:00+02:00").isoformat(), exact("2027-W10-1T00:00Z")
    ('2027-03-01T12:00:00+02:00', None)
    """
    try:
        moment = datetime.fromisoformat(text) if _WHOLE.fullmatch(text) else None
    except ValueError:
        return None
    if moment is None or abs(moment.utcoffset() or timedelta()) > _FARTHEST:
        return None
    return moment if 1970 < moment.year < 9000 else None


def read_instant(text: str, *, end: bool = False) -> datetime | None:
    """The instant of a text, in UTC; of a date with AoE its first, or with ``end`` the next day's.

    None if the text is neither, or names no zone.

    >>> read_instant("2027-03-01 AoE", end=True).isoformat()
    '2027-03-02T12:00:00+00:00'
    >>> read_instant("2027-03-01T12:00:00") is None
    True
    """
    moment = exact(text.strip())
    if found := re.fullmatch(rf"({_DAY})[ T]?AoE", text.strip()):
        try:
            day = date.fromisoformat(found[1]) + timedelta(days=int(end))
        except (ValueError, OverflowError):
            return None
        if 1970 < day.year < 9000:
            moment = datetime(day.year, day.month, day.day, tzinfo=AOE)
    return moment.astimezone(UTC) if moment else None


def said(moment: datetime) -> str:
    """An instant for people, in UTC and AoE.

    >>> said(datetime(2027, 3, 2, 12, tzinfo=UTC))
    '2027-03-02 12:00:00 UTC (2027-03-02 00:00:00 AoE)'
    """
    utc, aoe = moment.astimezone(UTC), moment.astimezone(AOE)
    return f"{utc:%Y-%m-%d %H:%M:%S} UTC ({aoe:%Y-%m-%d %H:%M:%S} AoE)"
