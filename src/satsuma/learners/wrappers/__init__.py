"""Wrappers: learners around another learner or estimator, with a preprocessing step before it."""
