"""CentreAttributes: what scikit-learn's tools ask of k-means once it is fitted."""

from typing import Any, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.estimator.transformer import Transformer
from satsuma.numerics.arrays import Floats


class CentreAttributes(Transformer):
    """A part of learners whose models are clusters that have a centre."""

    @property
    def cluster_centers_(self) -> Floats:
        """The centres, clusters by columns, in the units of X; none where some hold symbols."""
        learner = cast("Any", self)
        model = learner.fitted_model()
        if model.mode.shape[1] or model.at.shape[1] != learner.n_features_in_:
            raise AttributeError(
                f"{type(self).__name__} has no cluster_centers_: not all columns that it learned "
                f"from are numbers. model_.centres has the centres as rows.",
                name="cluster_centers_",
                obj=self,
            )
        return cast("Floats", model.at)

    @property
    def inertia_(self) -> float:
        """The sum of the squared distances of the rows from the centres of their clusters.

        Of `MiniBatchKMeans`, which does not keep it, there is none.
        """
        return cast("Any", self).fitted_model().inertia

    @property
    def n_iter_(self) -> int:
        """How often centres were moved."""
        return cast("Any", self).fitted_model().steps

    def transformed(self, model: Any, table: Table) -> Floats:
        """How far each row is from each centre, as the distance of the learner has it."""
        return np.sqrt(model.squares(table))

    def new_columns(self, model: Any) -> int:
        """How many clusters there are."""
        return model.k
