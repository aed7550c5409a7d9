"""Clusters of rows by their distances from each other: joined step by step, or by density."""
