"""``satsuma show``: a model that was saved."""

from satsuma.cli import command_options as o
from satsuma.cli import models
from satsuma.cli.terminal import as_json, show_lines


def show(model: o.ModelFile, *, modules: o.Import = None, json: o.Json = False) -> None:
    """Show a saved model.

    \b
    Examples:
      satsuma show votes.satsuma
      satsuma show votes.satsuma --json
    """
    found = models.open_saved(model, modules)
    if json:
        as_json(models.model_facts(found))
    else:
        show_lines(str(found))
