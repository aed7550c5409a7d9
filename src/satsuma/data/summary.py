"""Summary: a column or a row in a phrase, and strings cut to the room there is."""

import math
import unicodedata

import numpy as np

from satsuma.data.columns import spell
from satsuma.data.histogram import Histogram, as_ticks
from satsuma.data.row import Row
from satsuma.data.times import spell_time
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Codes, Floats, Times

#: Characters of a symbol that are shown.
VALUE = 24

_BARS = " ▁▂▃▄▅▆▇█"

#: Numbers of this size and above are shown in powers of ten.
_LARGE = 1e12

#: Bars of a shape, at most.
_MOST = 16


def summarise(variable: Variable, column: Array, room: int = 80) -> str:
    """What a column holds, in at most `room` characters; missing cells are passed over.

    Examples
    --------
    >>> summarise(Variable("age"), np.array([3.0, 4.0, 4.0, 9.0, np.nan]))
    '▄█    ▄  3 to 9, mean 5'
    >>> sky = Variable("sky", "sym", ("rain", "sun", "snow"))
    >>> summarise(sky, np.array([1, 0, 1, -1], np.int32))
    '3 values, 1 never seen: sun (2), rain (1)'
    >>> day = Variable("day", "time", format="%Y-%m-%d")
    >>> summarise(day, np.array(["2024-02-28", "2024-02-28", "2024-03-01"], "datetime64[ns]"))
    '█ ▄  2024-02-28 to 2024-03-01'
    """
    if variable.kind == "num":
        phrase = _numbers(column)
    elif variable.kind == "sym":
        phrase = _symbols(variable, column, room)
    elif variable.kind == "time":
        phrase = _times(variable, column)
    else:
        phrase = _text(column, room)
    return cut(phrase, room)


def short_row(row: Row, without: tuple[str, ...] = (), room: int = 90) -> str:
    """The cells of a row in at most `room` characters, texts first; missing ones are passed over.

    Examples
    --------
    >>> from satsuma import Table
    >>> table = Table.of([(3, "a story", "yes")], ["n", "t", "y"], kinds={"t": "text"})
    >>> short_row(table[0], without=("y",))
    'a story · n 3'
    """
    texts, others = list[str](), list[str]()
    for variable, cell in zip(row.domain, row, strict=True):
        if variable.name in without or cell is None or variable.role == "ignore":
            continue
        if variable.kind == "text":
            texts.append(" ".join(str(cell)[: 2 * room].split()))
        else:
            others.append(f"{variable.name} {spell(cell)}")
    made = " · ".join([*texts, *others])
    return made if len(made) <= room else made[: room - 1] + "…"


def _times(variable: Variable, column: Times) -> str:
    known = column[~np.isnat(column)]
    if not len(known):
        return "none"
    shape = f"{_shape(as_ticks(known)[1])}  " if known.min() < known.max() else ""
    return shape + time_span(variable, known)


def time_span(variable: Variable, known: Times) -> str:
    """From when to when some times are, none of them missing."""
    form = variable.time_format
    first, last = (spell_time(int(end.view(np.int64)), form) for end in (known.min(), known.max()))
    return f"always {first}" if known.min() == known.max() else f"{first} to {last}"


def cut(text: str, room: int) -> str:
    r"""A string in at most `room` places, with what cannot be printed spelled out.

    Examples
    --------
    >>> print(cut("a tangerine", 6), cut("two\nlines", 20))
    a tan… two\nlines
    """
    # No more than this can be shown, and a cell may hold megabytes.
    start = text[: 2 * room]
    shown = "".join(c if c.isprintable() else _escaped(c) for c in start)
    if len(start) == len(text) and width(shown) <= room:
        return shown
    while shown and width(shown) > room - 1:
        shown = shown[:-1]
    return f"{shown}…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """How many places a string takes on a screen: wide letters two, combining marks none.

    Examples
    --------
    >>> width("abc"), width("蜜柑")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.category(c) in ("Mn", "Me") for c in text)


def _numbers(column: Floats) -> str:
    known = column[~np.isnan(column)]
    if not known.size:
        return "none"
    low, high = float(known.min()), float(known.max())
    if low == high:
        return f"always {short_number(low)}"
    if math.isinf(low) or math.isinf(high):
        return f"{short_number(low)} to {short_number(high)}"
    # In units of the largest, so that no sum of huge numbers overflows.
    unit = max(-low, high)
    mean = min(max(float((known / unit).mean()) * unit, low), high)
    told = [short_number(low), short_number(high), short_number(mean)]
    if told[0] == told[1]:
        told = [f"{number:.15g}" for number in (low, high, mean)]
    return f"{_shape(known)}  {told[0]} to {told[1]}, mean {told[2]}"


def _shape(known: Floats) -> str:
    heights = Histogram.of(known, _MOST).heights
    tall = np.ceil(heights * ((len(_BARS) - 1) / heights.max())).astype(np.intp)
    return "".join(_BARS[each] for each in tall)


def short_number(number: float, digits: int = 6) -> str:
    """A number as it is if six digits or two decimals are enough; else rounded to fewer.

    Parameters
    ----------
    number
        What to show.
    digits
        Up to so many are used for two decimals of a number that is rounded; four in any case.

    Examples
    --------
    >>> short_number(187280.0), short_number(1234567.89), short_number(5.84333)
    ('187280', '1234567.89', '5.84333')
    >>> short_number(17.53 / 3), short_number(12345.678901), short_number(1 / 30000)
    ('5.843', '12345.7', '3.333e-05')
    """
    size = abs(number)
    if size < _LARGE and number == round(number, 2):
        return f"{number + 0.0:.2f}".rstrip("0").rstrip(".")
    if float(text := f"{number:.6g}") == number:
        return text
    if not 1e-3 <= size < _LARGE:
        return f"{number:.4g}"
    power = math.floor(math.log10(size))
    places = max(0, 3 - power, min(2, digits - 1 - power))
    text = f"{number:.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def _symbols(variable: Variable, codes: Codes, room: int) -> str:
    counts = np.bincount(codes + 1, minlength=len(variable.values) + 1)[1:]
    seen = np.flatnonzero(counts)
    unseen = len(counts) - len(seen)
    lead = f"{len(counts):,} value{'' if len(counts) == 1 else 's'}" if len(counts) else "none"
    if not len(seen):
        listed = ", ".join(cut(value, VALUE) for value in variable.values[:room])
        return f"{lead}, never seen: {listed}" if listed else lead
    lead += f", {unseen:,} never seen" if unseen else ""
    once = counts.max() == 1 and len(seen) > 1
    lead += ", each once: " if once else ": "
    # No more than `room` of them can be shown, however many there are.
    common: list[int] = seen[np.argsort(-counts[seen], kind="stable")[:room]].tolist()
    phrases: list[str] = []
    for code in common:
        value = cut(variable.values[code], VALUE)
        phrases.append(value if once else f"{value} ({counts[code]:,})")
    return lead + _fitted(phrases, len(seen), room - width(lead))


def _fitted(phrases: list[str], of: int, room: int) -> str:
    """As many of the phrases as there is room for; an ellipsis says that there are more."""
    fitted = ""
    for at, phrase in enumerate(phrases):
        longer = f"{fitted}, {phrase}" if at else phrase
        last = at + 1 == of
        if at and width(longer) + (0 if last else 3) > room:
            return f"{fitted}, …"
        fitted = longer
    return fitted if len(phrases) == of else f"{fitted}, …"


def _text(column: Array, room: int) -> str:
    known: list[str] = [cell for cell in column if cell is not None]
    if not known:
        return "none"
    length = sum(map(len, known)) / len(known)
    lead = f"about {length:,.0f} characters: "
    return f"{lead}“{cut(known[0], room - len(lead) - 2)}”"
