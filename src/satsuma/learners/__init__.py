"""Learners, and the models that they return."""
