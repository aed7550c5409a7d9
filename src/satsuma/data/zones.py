"""Zones: by how much their clocks are ahead of Greenwich, and what frames call them.

A zone is ``Z``, an offset such as ``+02:00``, or a name of the time zone database.
"""

import datetime as dt
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?", re.ASCII)


def offset_minutes(zone: str, moment: dt.datetime) -> int:
    """The minutes by which clocks of a zone are ahead at a moment of Greenwich.

    Clocks that were ahead by some seconds too, as before there were zones, are rounded.

    Examples
    --------
    >>> offset_minutes("-0530", dt.datetime(2024, 7, 1))
    -330
    >>> offset_minutes("Europe/Ljubljana", dt.datetime(2024, 7, 1))
    120
    """
    if zone == "Z":
        return 0
    if found := _OFFSET.fullmatch(zone):
        minutes = 60 * int(found[2]) + int(found[3] or 0)
        return -minutes if found[1] == "-" else minutes
    ahead = moment.replace(tzinfo=dt.UTC).astimezone(_named(zone)).utcoffset()
    return round((ahead or dt.timedelta()) / dt.timedelta(minutes=1))


def spell_offset(zone: str, minutes: int) -> str:
    """How the offset of a zone is written; that of a named one as ``+02:00``."""
    if zone == "Z" or _OFFSET.fullmatch(zone):
        return zone
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"


@lru_cache(maxsize=64)
def _named(zone: str) -> dt.tzinfo:
    try:
        return ZoneInfo(zone)
    except (KeyError, ValueError, OSError):  # not in the database of this machine
        return dt.UTC


def arrow_zone(zone: str) -> str:
    """What Arrow calls a zone: ``UTC``, an offset with a colon, or a name.

    Examples
    --------
    >>> arrow_zone("Z"), arrow_zone("+09"), arrow_zone("Asia/Tokyo")
    ('UTC', '+09:00', 'Asia/Tokyo')
    """
    if zone == "Z":
        return "UTC"
    found = _OFFSET.fullmatch(zone)
    return f"{found[1]}{found[2]}:{found[3] or '00'}" if found else zone


def zone_of(name: str) -> str:
    """The zone that Arrow calls so."""
    return "Z" if name in ("UTC", "utc", "") else name


def zone_of_clock(zone: dt.tzinfo | None) -> str:
    """The zone of Python's times: its name, or its offset where that is fixed."""
    if isinstance(zone, ZoneInfo) and zone.key:
        return zone_of(zone.key)
    ahead = zone.utcoffset(None) if zone is not None else None
    if not ahead:
        return "Z"
    return spell_offset("", round(ahead / dt.timedelta(minutes=1)))
