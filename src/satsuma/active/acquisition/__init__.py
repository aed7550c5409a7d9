"""Acquisition functions: which row is most worth a question."""
