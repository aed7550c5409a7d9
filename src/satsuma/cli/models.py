"""Models: opened from a file, chosen for a table, and described for machines."""

from typing import Any

from satsuma.cli.learner_specs import learner_of
from satsuma.cli.own_learners import own_module
from satsuma.data.table import Table
from satsuma.errors import ReadError


def open_saved(path: str, modules: list[str] | None = None) -> Any:
    """A model that was saved, once the modules that it needs are imported."""
    from satsuma.learners.model_files.saved_model import open_model

    for each in modules or ():
        own_module(each)
    try:
        return open_model(path)
    except ReadError as error:
        if error.remedy:
            raise
        remedy = "Name a file that 'satsuma learn' has written."
        raise ReadError(error.what, file=error.file, line=error.line, remedy=remedy) from None


def without_text(table: Table, *learners: Any) -> tuple[Table, list[str]]:
    """The table without columns of text that a learner does not take, and what to say of it."""
    from satsuma.evaluate.compared_rows import set_aside

    return set_aside(table, {repr(each): each for each in learners})


def choose_learner(said: str | None, table: Table) -> Any:
    """The learner that was named, or one whose model can be read."""
    if said is not None:
        return learner_of(said)
    texts = [v.kind == "text" for v in table.domain.attributes]
    return learner_of("text" if texts and all(texts) else "tree")


def model_facts(model: Any) -> dict[str, Any]:
    """What a model is, for machines."""
    target = model.domain.target
    return {
        "kind": type(model).__name__,
        "learner": repr(model.learner),
        "target": None if target is None else target.name,
        "classes": [] if target is None else list(target.values),
        "columns": [{"name": v.name, "kind": v.kind} for v in model.domain.attributes],
        "text": str(model),
    }
