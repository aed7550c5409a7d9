"""K-means: clusters around centres, in memory, in rounds, in one pass, or divided in two."""
