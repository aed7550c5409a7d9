"""The names of what is computed: those that `Model.predict` gives its columns."""

from collections.abc import Sequence
from typing import Any

from satsuma.data.domain import free_name
from satsuma.export.expressions import Program


def output_names(model: Any, program: Program, kept: Sequence[str] = ()) -> list[str]:
    """A name for each output, none of which is taken by a column that is kept.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma.export.forms import program_of
    >>> model = satsuma.Majority(satsuma.load("tennis"))
    >>> output_names(model, program_of(model, "SQL"), ["play predicted"])
    ['play predicted_2', 'play = no', 'play = yes']
    """
    target = model.domain.target
    wanted = ["cluster" if target is None else f"{target.name} predicted"]
    if target is not None:
        wanted += [f"{target.name} = {name}" for name, _ in program.probabilities]
    taken, found = set(kept), list[str]()
    for each in wanted:
        found.append(free_name(each, taken))
        taken.add(found[-1])
    return found
