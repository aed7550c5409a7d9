"""Decision trees: grown level by level from counts, for classes and for numbers."""
