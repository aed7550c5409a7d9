"""Learners that go by the rows nearby: k nearest neighbours, Gaussian processes."""
