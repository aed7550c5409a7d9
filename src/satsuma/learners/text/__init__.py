"""Learners of text."""
