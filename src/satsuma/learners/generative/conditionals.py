"""Conditionals: how probable each class is where one column alone is known."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn
from satsuma.learners.model import Classifier
from satsuma.learners.predictions import Distribution
from satsuma.numerics.arrays import Array, Floats


class Conditional(Mapping[str, Distribution]):
    """How probable each class is given the value of a column: called with a symbol or a number.

    For a column of symbols it is also a mapping, by value, in order. A symbol that was not seen
    in learning, and a missing one, None, leave the prior as it is.

    Examples
    --------
    >>> from satsuma import NaiveBayes, Table
    >>> days = Table.of([("hot", 30, "no"), ("mild", 20, "yes")], ["temp", "heat", "play"])
    >>> model = NaiveBayes(days, m=0)
    >>> model.conditional_distributions["temp"]["hot"]
    Distribution(no=1.000, yes=0.000)
    >>> model.conditional_distributions["heat"](20)
    Distribution(no=0.000, yes=1.000)
    """

    def __init__(self, model: Classifier, name: str) -> None:
        self.model, self.name = model, name
        self.variable = model.domain[name]

    def __call__(self, value: object) -> Distribution:
        """Given a value."""
        found = self.model.probabilities(self.model.asked({self.name: value}))
        return Distribution(self.model.classes, found[0])

    def over(self, cells: npt.ArrayLike) -> Floats:
        """Rows by classes: given each of many numbers, or codes of symbols."""
        dtype = np.float64 if self.variable.kind == "num" else np.int32
        column: Array = np.asarray(cells, dtype)
        alone = Table(Domain([self.variable]), [column], check=False)
        return self.model.probabilities(self.model.asked(alone))

    def __getitem__(self, value: str) -> Distribution:
        self.variable.code(value)
        return self(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self.variable.values)

    def __len__(self) -> int:
        return len(self.variable.values)

    def __repr__(self) -> str:
        if not self:
            return f"Conditional({self.model.target.name} given {self.name})"
        return "\n".join(f"{value}: {found!r}" for value, found in self.items())


class Conditionals(Mapping[str, Conditional]):
    """What each column alone says about the class, by name."""

    def __init__(self, model: Classifier) -> None:
        self.model = model

    def __getitem__(self, name: str) -> Conditional:
        if name not in list(self):
            raise NoSuchColumn(name, self)
        return Conditional(self.model, name)

    def __iter__(self) -> Iterator[str]:
        return (v.name for v in self.model.domain.attributes)

    def __len__(self) -> int:
        return len(self.model.domain.attributes)
