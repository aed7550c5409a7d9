"""Gradient boosting: many small trees, each of which mends what those before it left over."""
