"""The labelling page: one row at a time, the question most worth asking, every answer on disk."""
