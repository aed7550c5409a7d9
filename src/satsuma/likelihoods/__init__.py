"""Likelihoods: what a column, or a block of columns, says about the class."""
