"""Options: how the user wants delimited text to be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from satsuma.data.variable import KINDS
from satsuma.errors import ParameterError


@dataclass(kw_only=True)
class DelimitedOptions:
    """How the user wants delimited text to be read; None leaves it to the file."""

    layout: Literal["csv", "tab"] = "csv"
    delimiter: str | None = None
    quote: str | None = '"'
    header: bool | Sequence[str] | None = None
    encoding: str | None = None
    missing: Sequence[str] | None = None
    decimal: str = "."
    thousands: str | None = None
    strip: bool | None = None
    marks: bool | None = None
    bad_rows: Literal["error", "keep aside"] = "error"
    kinds: Mapping[str, str] | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        self._check_signs()
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

        if self.bad_rows not in ("error", "keep aside"):
            raise ParameterError(
                f"The 'bad_rows' parameter must be 'error' or 'keep aside'. "
                f"Got {self.bad_rows!r} instead."
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
        return cls(layout="tab" if form == "tab" else "csv", **options)

    @property
    def keeps_aside(self) -> bool:
        """Whether rows that cannot be read are kept aside."""
        return self.bad_rows == "keep aside"

    def _check_signs(self) -> None:
        signs = {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "decimal": self.decimal,
            "thousands": self.thousands,
        }
        for name, sign in signs.items():
            if sign is not None and (len(sign) != 1 or not sign.isascii() or sign in "\r\n\0"):
                raise ParameterError(
                    f"The '{name}' parameter must be one ASCII character. Got {sign!r} instead."
                )
        for one, other in (("delimiter", "quote"), ("decimal", "thousands")):
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
