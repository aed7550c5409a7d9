"""Latest labels: the model without them, and which labels were of rows drawn at random."""

from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.active.labelling import Labelling
from satsuma.data.table import Table

#: The share of the labels, the latest, that must have made no difference.
LATEST = 0.2

#: By chance alone, a model beats the simplest one on the labelled rows no more often.
BY_CHANCE = 0.05


def drawn_at_random(labelling: Labelling) -> npt.NDArray[np.bool_]:
    """Which of the labelled rows were drawn at random."""
    rows = labelling.labelled_rows
    if getattr(labelling.how, "acquire", None) == "random":
        return np.ones(len(rows), np.bool_)
    return np.isin(rows, [draw.row for draw in labelling.audited])


def model_before(labelling: Labelling) -> Any:
    """The model without the latest labels; their rows teach a learner that takes such rows."""
    learner: Any = labelling.how.learner
    kept = np.ones(len(labelling.labels), np.bool_)
    order = list(dict.fromkeys(labelling.order))
    kept[order[len(order) - round(LATEST * len(order)) :]] = False
    if not learner.takes.unlabelled:
        rows = labelling.labelled_rows
        return learner(labelling.table[rows[kept[rows]]])
    table = labelling.table
    columns = list(table.columns)
    at = table.domain.index(labelling.target.name)
    none = np.int32(-1) if labelling.target.kind == "sym" else np.nan
    columns[at] = np.where(kept, columns[at], none)
    return learner(Table(table.domain, columns, check=False))
