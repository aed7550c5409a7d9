"""Clusters: rows that belong together, found without a target."""
