"""Learners of weighted sums: logistic and ridge regression, support vectors."""
