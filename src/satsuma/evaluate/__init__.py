"""Evaluation: how good learners are on rows that they have not seen, and which are better."""
