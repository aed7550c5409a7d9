"""Scores of predictions: of classes, of probabilities and of numbers."""
