"""Verbs: what makes a table of another one, column by column and row by row."""
