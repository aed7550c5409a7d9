"""Options: how the user wants delimited text to be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from satsuma.data.domain import Domain
from satsuma.data.formats import BAD_ROWS
from satsuma.data.variable import KINDS
from satsuma.errors import ParameterError

#: Orders of day, month and year that can be asked for.
ORDERS = ("dmy", "mdy", "ymd")


@dataclass(kw_only=True)
class DelimitedOptions:
    """How the user wants delimited text to be read; None leaves it to the file."""

    layout: Literal["csv", "tab"] = "csv"
    delimiter: str | None = None
    quote: str | None = '"'
    #: Whether the user has said the quote, so that none is looked for.
    quote_said: bool = True
    escape: str | None = None
    #: Whether a quote closes a cell only where a delimiter or a line end is behind it.
    loose_quotes: bool = False
    #: Whether a delimiter stands behind the last cell of every row.
    drops_last: bool = False
    comment: str | bool | None = None
    skip: int | None = None
    header: bool | int | Sequence[str] | None = None
    footer: int | None = None
    encoding: str | None = None
    missing: Sequence[str] | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: Literal["dmy", "mdy", "ymd"] | None = None
    strip: bool | None = None
    marks: bool | None = None
    bad_rows: Literal["error", "keep aside", "mend"] = "error"
    kinds: Mapping[str, str] | None = None
    target: str | None = None
    #: Columns whose kinds, and whose ways to write numbers and dates, hold unless told otherwise.
    like: Domain | None = None

    def __post_init__(self) -> None:
        self._check_signs()
        self._check_words()
        self._check_counts()
        if isinstance(self.missing, str):
            raise ParameterError(
                f"The 'missing' parameter must be a list of spellings. Got {self.missing!r} "
                f"instead; write [{self.missing!r}]."
            )
        if self.layout == "tab" and self.header is not None:
            raise ParameterError(
                "header= goes with CSV and TSV: a .tab file has a header of its own. If this one "
                "has only names, or none, pass format='tsv'."
            )
        for name, kind in (self.kinds or {}).items():
            if kind not in KINDS:
                raise ParameterError(
                    f"The 'kinds' parameter must give {', '.join(KINDS)}. "
                    f"Got {kind!r} for {name!r} instead."
                )
        if self.dates not in (None, *ORDERS):
            raise ParameterError(
                f"The 'dates' parameter must be {', '.join(map(repr, ORDERS))}: the order of day, "
                f"month and year. Got {self.dates!r} instead."
            )
        if self.bad_rows not in BAD_ROWS:
            raise ParameterError(
                f"The 'bad_rows' parameter must be 'error', 'keep aside' or 'mend'. "
                f"Got {self.bad_rows!r} instead."
            )

    def _check_words(self) -> None:
        if isinstance(self.comment, str) and self.comment != self.comment.strip():
            raise ParameterError(f"comment= must not begin or end with a blank: {self.comment!r}.")
        for name, sign in (("delimiter", self.delimiter), ("comment", self.comment)):
            if isinstance(sign, str) and (not sign or set(sign) & {*"\r\n\0"}):
                raise ParameterError(
                    f"The '{name}' parameter must be some characters of a line. Got {sign!r} "
                    f"instead."
                )
        if self.comment is True:
            raise ParameterError("comment= takes what a comment begins with, such as '#'.")

    def _check_counts(self) -> None:
        for name in ("skip", "footer"):
            count = getattr(self, name)
            if count is not None and (isinstance(count, bool) or count < 0):
                raise ParameterError(
                    f"The '{name}' parameter must be a number of lines. Got {count!r} instead."
                )

    @classmethod
    def of_format(cls, form: str, **options: Any) -> "DelimitedOptions":
        r"""The options for one of the formats ``csv``, ``tsv`` and ``tab``.

        Examples
        --------
        >>> DelimitedOptions.of_format("tsv").delimiter
        '\t'
        """
        if form == "tsv":
            options = {"delimiter": "\t"} | options
        options["quote_said"] = "quote" in options
        return cls(layout="tab" if form == "tab" else "csv", **options)

    @property
    def decimal_mark(self) -> str:
        """The decimal mark of plain numbers."""
        return self.decimal or "."

    @property
    def keeps_aside(self) -> bool:
        """Whether rows that cannot be read are kept aside."""
        return self.bad_rows == "keep aside"

    @property
    def mends(self) -> bool:
        """Whether rows that cannot be read are mended where that can be done in one way only."""
        return self.bad_rows == "mend"

    @property
    def is_framed(self) -> bool:
        """Whether it takes more than the scanner to read the text from its start."""
        return bool(self.skip or self.footer or self.encoding or self.is_translated)

    @property
    def is_translated(self) -> bool:
        """Whether the text has to be written anew for the scanner, which knows no such dialect."""
        long = self.delimiter is not None and not is_sign(self.delimiter)
        odd = self.drops_last or self.loose_quotes or self.escape is not None
        return long or odd or isinstance(self.comment, str)

    def _check_signs(self) -> None:
        signs = {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "escape": self.escape,
            "decimal": self.decimal_mark,
            "thousands": self.thousands,
        }
        for name, sign in signs.items():
            if sign is not None and name != "delimiter" and not is_sign(sign):
                raise ParameterError(
                    f"The '{name}' parameter must be one ASCII character. Got {sign!r} instead."
                )
        for one, other in (("delimiter", "quote"), ("escape", "quote"), ("decimal", "thousands")):
            if signs[one] is not None and signs[one] == signs[other]:
                raise ParameterError(
                    f"{one}= and {other}= are both {signs[one]!r}. They must differ."
                )
        for name in ("decimal", "thousands"):
            if (sign := signs[name]) is not None and (sign.isalnum() or sign in "+-"):
                raise ParameterError(
                    f"The '{name}' parameter must not be a letter, a digit or a sign: {sign!r} "
                    f"has a meaning of its own in a number."
                )


def is_sign(text: str) -> bool:
    """Whether a text is one character that the scanner can part cells with."""
    return len(text) == 1 and text.isascii() and text not in "\r\n\0"
