"""RP0: a tree of clusters by random projections (Menzies)."""
