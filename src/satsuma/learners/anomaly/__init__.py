"""Anomaly: anomaly scores of rows, by their distances within a tree of clusters."""
