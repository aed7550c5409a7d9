"""Additive models: a shape for each column, and grids for a few pairs, learned in rounds."""
