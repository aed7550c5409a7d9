"""Learners that go by the rows nearby: nearest neighbours, Gaussian processes."""
