"""What the text of a cell may mean: every number and every moment that a person could read in it.

A reader that recognises money, percent or dates gives one of them; these are written down here
without its help.
"""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache

#: What may stand for a missing cell.
MISSING = frozenset(
    ["", "?", "-", "--", "—", ".", "*", "~", "NA", "N/A", "#N/A", "#NA", "<NA>", "NAN", "NULL"]
) | frozenset(["(NULL)", "NONE", "NIL", "\\N", "N.A.", "K.A.", "N.D."])

#: A name made of digits, of which each counts: leading zeros, or the plus of a telephone number.
CODE = re.compile(r"[+-]?0\d+|\+\d{7,}", re.ASCII)

_GAPS = "'\u2019_ \u00a0\u202f"  # what parts thousands beside the dot and the comma
_EXACT = re.compile(
    r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|infinity)", re.ASCII | re.IGNORECASE
)
_CORE = re.compile(rf"\d[\d.,{_GAPS}]*\d|\d|[.,]\d+")
_NEGATIVE = re.compile(r"^\(.*\)$|^[^\d]*[-\u2212][^\d]*\d|\d[^\d]*[-\u2212]$")
_MONTHS = {
    month: number
    for number, months in enumerate(
        [
            "january januar janvier jan janv",
            "february februar février fevrier feb févr fév",
            "march märz mars mar mär maerz",
            "april avril apr avr",
            "may mai",
            "june juni juin jun",
            "july juli juillet jul juil",
            "august août aout aug",
            "september septembre sep sept",
            "october oktober octobre oct okt",
            "november novembre nov",
            "december dezember décembre decembre dec dez déc",
        ],
        1,
    )
    for month in months.split()
}
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?\s*"
    r"(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)?$",
    re.IGNORECASE,
)
#: How day, month and year may follow each other.
ORDERS = "ymd", "mdy", "dmy"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_missing(text):
    """Whether a text may stand for nothing."""
    return text is None or text.strip().upper() in MISSING


@lru_cache(maxsize=100_000)
def numbers(text):
    """The numbers that a text may mean, by the mark of the fraction.

    >>> numbers("$1,694.08"), numbers("(5 %)"), numbers("1.234"), numbers("007")
    ({'.': 1694.08}, {'.': -0.05, ',': -0.05}, {'.': 1.234, ',': 1234.0}, {})
    """
    text = text.strip()
    core = _CORE.search(text)
    if CODE.fullmatch(text):
        return {}
    if core is None or re.search(r"\d[eE][+-]?\d", text):
        return dict.fromkeys(".,", float(text)) if _EXACT.fullmatch(text) else {}
    found = {}
    sign = -1 if _NEGATIVE.search(text) else 1
    parts = 100 if "%" in text or "\uff05" in text else 1
    digits = re.sub(rf"[{_GAPS}]", "", core[0])
    both = "." in digits and "," in digits
    for decimal, thousands in (".,", ",."):
        if both and digits.rfind(decimal) < digits.rfind(thousands):
            continue  # what stands last parts the fraction
        plain = digits.replace(thousands, "").replace(decimal, ".", 1)
        if _EXACT.fullmatch(plain):
            found[decimal] = float(sign * Decimal(plain) / parts)
    return found


@lru_cache(maxsize=100_000)
def moments(text):
    """The moments that a text may mean, in nanoseconds since 1970, by the order of day and month.

    A time of day is one of the first of January 1970.

    >>> {order: at // 86_400_000_000_000 for order, at in moments("03/01/1970").items()}
    {'mdy': 59, 'dmy': 2}
    """
    text = text.strip()
    clock = _CLOCK.search(text)
    day = text if clock is None else text[: clock.start()].rstrip(" T,t")
    past = 0 if clock is None else _past_midnight(clock)
    if past is None:
        return {}
    if not day:
        return dict.fromkeys(ORDERS, past)
    return {order: at + past for order, at in _days(day)}


def _past_midnight(clock):
    hour, minute, second, fraction, half, zone = clock.groups()
    hour, minute, second = int(hour), int(minute), int(second or 0)
    if half:
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    if hour > 24 or minute > 59 or second > 60:
        return None
    past = ((hour * 60 + minute) * 60 + second) * 10**9 + int((fraction or "0").ljust(9, "0"))
    if zone and zone[0] in "+-":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        east = (int(digits[:2]) * 60 + int(digits[2:])) * 60 * 10**9
        past += east if zone[0] == "-" else -east
    return past


_FILLING = "de", "of", "年", "月", "日"


def _days(text):
    words = re.findall(r"\d+|[^\W\d_]+", text.lower())
    words = [word for word in words if word not in _FILLING and not _weekday(word)]
    if len(words) == 1 and len(words[0]) == 8:
        words = [words[0][:4], words[0][4:6], words[0][6:]]
    words = [word for word in words if word.rstrip("stndrh") or not word.isalpha()]
    named = [_MONTHS[word] for word in words if word in _MONTHS]
    figures = [word for word in words if word.isdigit()]
    if named and len(figures) == 2:
        month = str(named[0])
        last = dict.fromkeys(("mdy", "dmy"), (figures[1], month, figures[0]))
        orders = last | {"ymd": (figures[0], month, figures[1])}
    elif len(figures) == 2 == len(words) and len(figures[0]) == 4:
        orders = dict.fromkeys(ORDERS, (*figures, "1"))
    elif len(figures) == 3 and len(figures[0]) == 4:
        orders = dict.fromkeys(ORDERS, tuple(figures))
    elif len(figures) == 3:
        a, b, c = figures
        orders = {"ymd": (a, b, c), "mdy": (c, a, b), "dmy": (c, b, a)}
    else:
        return
    for order, (year, month, day) in orders.items():
        if len(year) not in (2, 4) or len(day) > 2 or len(month) > 2:
            continue
        century = 0 if len(year) == 4 else 2000 if int(year) < 69 else 1900
        try:
            found = datetime(century + int(year), int(month), int(day), tzinfo=UTC)
        except ValueError:
            continue
        yield order, (found - _EPOCH) // timedelta(microseconds=1) * 1000


def _weekday(word):
    return word[:3] in ("mon", "tue", "wed", "thu", "fri", "sat", "sun") and word not in _MONTHS
