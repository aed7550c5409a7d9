"""Numbers as people write them: with currencies, units, separators of thousands."""

import re
from dataclasses import dataclass

#: Blanks inside and around what people write: space, tab, and those that do not break a line.
BLANKS = " \t\u00a0\u202f"


_MINUS = "-\u2212"
_QUOTES = "'\u2019"
_WHOLE = 2**53
_POWER = re.compile(r"[eE][+-]?\d+", re.ASCII)


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written.

    Parameters
    ----------
    decimal
        What parts whole numbers from fractions: ``.`` or ``,``.
    thousands
        What parts groups of digits: ``,``, ``.``, a blank (for every sort of blank), ``'`` (for
        both apostrophes), or nothing. A number may also be written without it.
    before, after
        A currency or a unit, in every cell. A ``%`` makes shares of percents.

    Examples
    --------
    >>> read_number("$1,694.08", NumberFormat(thousands=",", before="$"))
    1694.08
    >>> read_number("(12,5 %)", NumberFormat(decimal=",", after="%"))
    -0.125
    """

    decimal: str = "."
    thousands: str = ""
    before: str = ""
    after: str = ""

    @property
    def percent(self) -> bool:
        """Whether 100 stand for 1."""
        return self.after == "%"


def _is_separator(mark: str, thousands: str) -> bool:
    same = BLANKS if thousands == " " else _QUOTES if thousands == "'" else thousands
    return bool(thousands) and mark in same and mark != "\t"


def _whole_part(text: str, at: int, thousands: str) -> tuple[str, int] | None:
    """The digits before the decimal mark, and where they end; None where groups are not right.

    Groups are of three digits, or of two with three in the last one, as in 12,34,567.
    """
    groups = [digits(text, at)]
    at += len(groups[0])
    while (
        groups[0]
        and at + 1 < len(text)
        and _is_separator(text[at], thousands)
        and text[at + 1] in "0123456789"
    ):
        groups.append(digits(text, at + 1))
        at += 1 + len(groups[-1])
    sizes = [len(group) for group in groups]
    if len(groups) > 1:
        pairs = thousands == "," and sizes[0] <= 2 and sizes[-1] == 3 and set(sizes[1:-1]) == {2}
        if not (pairs or (sizes[0] <= 3 and set(sizes[1:]) == {3})):
            return None
    return "".join(groups), at


def _bare_number(text: str, at: int, form: NumberFormat) -> tuple[float, int] | None:
    """The number at a place, without sign and currency, and where it ends."""
    start = at
    if (found := _whole_part(text, at, form.thousands)) is None:
        return None
    whole, at = found
    part, power = "", ""
    integer = True
    if at < len(text) and text[at] == form.decimal:
        part = digits(text, at + 1)
        at += 1 + len(part)
        integer = False
    if not whole and not part:
        return None
    if match := _POWER.match(text, at):
        power, at, integer = match[0], match.end(), False
    grouped = at - start > len(whole) and form.thousands != " "
    dialled = text[start - 1 : start] == "+" and integer and not grouped and len(whole) >= 7
    over = integer and (len(whole) > 19 or int(whole) > _WHOLE)
    if dialled or over or (len(whole) > 1 and whole[0] == "0"):
        return None
    e = int(power[1:] or 0) - 2 * form.percent
    return float(f"{whole}.{part}e{e}"), at


class _Cell:
    """A cell that is read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text.strip(BLANKS), 0
        self.signs, self.negative, self.open = 0, False, 0

    def take(self, what: str) -> bool:
        """Pass over some text and the blanks around it, if it is there."""
        at = skip_blanks(self.text, self.at)
        if not what or not self.text.startswith(what, at):
            return not what
        self.at = at + len(what)
        return True

    def sign(self) -> None:
        """Pass over a sign, if there is one."""
        at = skip_blanks(self.text, self.at)
        mark = self.text[at : at + 1]
        if mark and mark in "+" + _MINUS:
            self.at, self.signs = at + 1, self.signs + 1
            self.negative |= mark != "+"

    def trailing_minus(self) -> None:
        """Pass over a minus right here, if there is one."""
        if self.text[self.at : self.at + 1] in tuple(_MINUS):
            self.sign()

    def parenthesis(self, depth: int) -> None:
        """Pass over a parenthesis that opens, if there is one."""
        if not self.open and self.take("("):
            self.open = depth

    def closes(self, depth: int) -> bool:
        """Whether a parenthesis that was opened at a depth closes here."""
        return self.open != depth or self.take(")")


def read_number(text: str, form: NumberFormat) -> float | None:
    """The number that a cell spells, or None.

    Parentheses make a number negative, as does a minus before or behind it. Leading zeros, whole
    numbers beyond 2**53, and a plus with many digits, which is a telephone number, are names.
    """
    cell = _Cell(text)
    cell.parenthesis(1)
    cell.sign()
    if not cell.take(form.before):
        return None
    cell.parenthesis(2)
    cell.sign()
    cell.at = skip_blanks(cell.text, cell.at)
    if (found := _bare_number(cell.text, cell.at, form)) is None:
        return None
    value, cell.at = found
    cell.trailing_minus()
    if not (cell.closes(2) and cell.take(form.after)):
        return None
    cell.trailing_minus()
    if not cell.closes(1) or cell.at < len(cell.text):
        return None
    if cell.signs > 1 or (cell.signs and cell.open) or value == float("inf"):
        return None
    return -value if cell.negative or cell.open else value


def skip_blanks(text: str, at: int) -> int:
    """Where the first character from a place on stands that is no blank."""
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def digits(text: str, at: int, most: int | None = None) -> str:
    """The digits at a place."""
    end = stop = len(text) if most is None else min(at + most, len(text))
    for end in range(at, stop + 1):
        if end == stop or text[end] not in "0123456789":
            break
    return text[at:end]
