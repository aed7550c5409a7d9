"""Measures: how much columns tell, how probable a value is, how far rows are apart."""
