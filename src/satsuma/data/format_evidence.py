"""Evidence for a format: signs beside numbers, and strings that may as well be something else."""

import re
from collections.abc import Collection, Iterator

from satsuma.kernels.csv import BLANKS, Format, NumberFormat, TimeFormat

_CURRENCIES = """
$ € £ ¥ ₹ ₩ ₽ ₺ ₴ ₪ ₫ ฿ ₦ ₱ US$ USD EUR GBP JPY CHF CNY INR BRL R$ CAD C$ AUD A$ NZD NZ$ SEK NOK
DKK kr kr. PLN zł CZK Kč HUF Ft RUB TRY KRW MXN MX$ ZAR SGD S$ HKD HK$ ILS RON lei UAH THB Fr. SFr.
Rs Rs. 円 元 원 Euro Dollar
"""
_UNITS = """
% ‰ kg g mg µg t lb lbs oz km m cm mm µm nm mi ft in yd m² m2 km² ha m³ m3 l L ml mL cl dl gal s sec
ms min h hr hrs d days day years yrs months weeks °C °F ° K W kW MW kWh MWh J kJ cal kcal V A Hz kHz
MHz GHz B kB KB MB GB TB km/h kmh mph m/s bar Pa hPa kPa mmHg bpm pcs Stk Stk. px pt dB ppm 個 台
回 件 人 名 枚 本 冊 歳 泊 szt szt. ks ans Jahre Tage Std Std. godz godz.
"""

#: Signs and codes of currencies, which stand before or behind a number.
CURRENCIES = frozenset(_CURRENCIES.split())

#: Units, which stand behind a number, with or without a blank.
UNITS = frozenset(_UNITS.split())

#: Units of one letter that stand behind numbers only. Others, as in 12 A or 40K, are seats, floors
#: and thousands as well.
_LETTERS = frozenset("gmlLshWV")

#: So many different numbers make a unit of one letter likely, if none of them has a fraction.
ENOUGH = 10

_FRACTION = re.compile(r"\d[.,]\d", re.ASCII)
_ZERO = re.compile(r"(?:^|[.-])0\d", re.ASCII)
_SHORT_DATE = re.compile(r"%-?[dmy]([.-])%-?[dmy]\1%-?[dmy]")


def is_weak(form: Format, values: Collection[str]) -> bool:
    """Whether strings fit a format, and are something else about as likely.

    Parameters
    ----------
    form
        How all of them can be read.
    values
        All strings of a column.

    Examples
    --------
    >>> clock, metres = TimeFormat("%H:%M"), NumberFormat(after="m")
    >>> is_weak(clock, ["1:10", "1:25"]), is_weak(clock, ["09:30", "12:15"])
    (True, False)
    >>> is_weak(metres, ["12 m", "7 m"]), is_weak(metres, ["1.5 m", "7 m"])
    (True, False)
    """
    if isinstance(form, NumberFormat):
        return _is_weak_unit(form.after, values)
    if form.pattern in ("%H:%M", "%-H:%M"):
        return _may_be_ratios(values)
    if form.pattern == "%Y-%m":
        return all(int(end) == (int(start) + 1) % 100 for start, end in _parts(values, "-"))
    return _is_short(form) and not any(_ZERO.search(value.strip(BLANKS)) for value in values)


def _is_weak_unit(unit: str, values: Collection[str]) -> bool:
    if len(unit) != 1 or not (unit.isascii() and unit.isalpha()):
        return False
    if unit not in _LETTERS:
        return True
    return len({*values}) < ENOUGH and not any(map(_FRACTION.search, values))


def _may_be_ratios(values: Collection[str]) -> bool:
    """Whether hours and minutes may be ratios or scores, which are written without zeros in front.

    Without any hour such as 09, and none after noon, they may also be minutes and seconds.
    """
    zeros = late = False
    short = False
    for hour, minute in _parts(values, ":"):
        if len(hour) == 2 and hour[0] == "0":
            return False
        zeros |= minute[0] == "0"
        late |= int(hour) > 12
        short |= len(hour) == 1
    return not zeros or (short and not late)


def _parts(values: Collection[str], mark: str) -> Iterator[tuple[str, str]]:
    for value in values:
        first, _, second = value.strip(BLANKS).partition(mark)
        yield first, second


def _is_short(form: TimeFormat) -> bool:
    """Whether dates are like versions and codes: 3.4.24 or 3-4-24."""
    return _SHORT_DATE.fullmatch(form.pattern) is not None
