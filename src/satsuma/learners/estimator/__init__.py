"""What scikit-learn's tools expect of an estimator: fit, predict, get_params and their kin."""
