"""MDL: as many cuts as pay for themselves."""

from dataclasses import dataclass
from typing import Any, ClassVar

from satsuma.data.columns import Floats
from satsuma.measures.mdl import mdl_cuts
from satsuma.prepare.cutting import Cutting
from satsuma.tallies.values import Values


@dataclass(frozen=True)
class MDL(Cutting):
    """Cuts that make classes plainer by more than it takes to describe them (Fayyad, Irani 1993).

    A column that is not worth a cut is one interval. Every distinct number is kept until the cuts
    are found: for a source larger than memory, round its columns or use `ChiMerge`.

    Examples
    --------
    >>> import satsuma
    >>> MDL()(satsuma.load("iris"))
    Sepal.Length  <= 5.55 | (5.55, 6.15] | > 6.15
    Sepal.Width   <= 2.95 | (2.95, 3.35] | > 3.35
    Petal.Length  <= 2.45 | (2.45, 4.75] | > 4.75
    Petal.Width   <= 0.8 | (0.8, 1.75] | > 1.75
    """

    tally_kind: ClassVar[Any] = Values
    by_class: ClassVar[bool] = True

    def cuts(self, tally: Values, name: str) -> Floats:
        """Where the gain exceeds the description."""
        return mdl_cuts(*tally[name].merged())
