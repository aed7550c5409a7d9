"""Streaming: learners that get one row at a time, and may forget old rows."""
