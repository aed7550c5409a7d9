"""JSON lines: one object a line."""
