"""Cell errors: cells that are not what their column is to hold, with what to do about them."""

from collections.abc import Collection, Mapping

from satsuma.data.recognition import doubt_options
from satsuma.data.spelling import Spelling
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.csv import Format, TimeFormat


def changed(place: str, what: str) -> ReadError:
    """The error for a file that is not what it was when it was first read."""
    return ReadError(
        f"{what} when it was first read", file=place, remedy="Leave it alone, and scan it again."
    )


def does_not_fit(
    variable: Variable, cell: str, spelled: bool, file: str, line: int | None
) -> ReadError:
    """The error for a cell of a column that is said to hold numbers, or times."""
    missing = _missing(cell) if spelled else "make that cell missing."
    name, what = variable.name, "times" if variable.kind == "time" else "numbers"
    return ReadError(
        f"column {name!r} is to hold {what}, but here it holds {cell!r}",
        file=file,
        line=line,
        remedy=f"Pass kinds={{{name!r}: 'sym'}}, or {missing}",
    )


def _missing(cell: str) -> str:
    return f"missing=[{cell.strip()!r}, …] if that stands for a missing cell."


def infinite(name: str, cell: str, spelled: bool, file: str, line: int | None) -> ReadError:
    """The error for a number that is not finite."""
    missing = f"pass {_missing(cell)}" if spelled else "make it missing."
    return ReadError(
        f"column {name!r} holds {cell.strip()!r}; numbers must be finite",
        file=file,
        line=line,
        remedy=f"Mend it, or {missing}",
    )


def check_wanted(spelling: Spelling, names: Collection[str], forms: Mapping[str, Format]) -> None:
    """Raise where all strings of a column were looked at and do not say what was asked for."""
    for name, kind in spelling.wanted.items():
        form = forms.get(name)
        right = form is not None and isinstance(form, TimeFormat) == (kind == "time")
        if right or name not in names:
            continue
        what, sort = f"column {name!r} is to hold", "times" if kind == "time" else "numbers"
        example = "".join(spelling.examples[name][:1])
        if name in spelling.doubts:
            option, settings = doubt_options(spelling.doubts[name])
            raise ReadError(
                f"{what} {sort}, and {example!r} may be read in several ways",
                remedy=f"Pass {' or '.join(f'{option}={each!r}' for each in settings)}.",
            )
        raise ReadError(
            f"{what} {sort}, but it holds cells like {example!r}",
            remedy=f"Pass kinds={{{name!r}: 'sym'}}.",
        )
