"""Labelling: which row is asked about next and why, and what follows from the answers."""
