"""ARFF, the format of Weka."""
