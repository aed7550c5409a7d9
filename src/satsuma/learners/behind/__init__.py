"""Learners behind something else: a step, a selection, an estimator of scikit-learn."""
