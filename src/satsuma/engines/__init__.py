"""How a source of rows is reduced to one tally. An engine knows nothing of learning."""

from satsuma.engines.reduce import Source, check_rows, is_source, reduce

__all__ = ["Source", "check_rows", "is_source", "reduce"]
