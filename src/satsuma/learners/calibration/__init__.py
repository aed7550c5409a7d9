"""Calibration: probabilities that are as often right as they say."""
