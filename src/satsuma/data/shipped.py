"""The data sets that come with Satsuma."""

import gzip
from importlib.resources import files
from typing import Any

from satsuma.data.read import read
from satsuma.data.table import Table
from satsuma.errors import SatsumaError, hint

_NAMES = (
    "iris",
    "iris-uci",
    "voting",
    "titanic",
    "lenses",
    "tennis",
    "zoo",
    "heart_disease",
    "housing",
    "adult_sample",
    "auto-mpg",
)


def names() -> tuple[str, ...]:
    """The names that `load` knows.

    Examples
    --------
    >>> names()[:3]
    ('iris', 'iris-uci', 'voting')
    """
    return _NAMES


def load(name: str, **options: Any) -> Table:
    """A table that comes with Satsuma, read anew at every call.

    Parameters
    ----------
    name
        One of `satsuma.data.shipped.names()`. ``iris`` is Fisher's table as in R, ``iris-uci``
        the copy of the UCI repository, which differs from it in two rows.
    options
        What `read` takes for a ``.tab`` file, such as ``target=`` or ``kinds=``.

    Examples
    --------
    >>> from satsuma import load
    >>> voting = load("voting")
    >>> len(voting), voting.domain.target.values
    (435, ('republican', 'democrat'))
    """
    if name not in _NAMES:
        raise SatsumaError(f"There is no shipped data set {name!r}. {_hint(name)}")
    packed = files("satsuma.data").joinpath("sets", f"{name}.tab.gz").read_bytes()
    # Unpacked here, it is known to be small, and is read at once.
    return read(gzip.decompress(packed), format="tab", name=name, **options)


def _hint(name: object) -> str:
    return hint(str(name), _NAMES, most=len(_NAMES))
