"""How a source of rows is reduced to one tally. An engine knows nothing of learning."""

from satsuma.engines.reduce import Source, reduce

__all__ = ["Source", "reduce"]
