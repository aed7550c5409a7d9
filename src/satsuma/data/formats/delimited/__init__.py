"""Delimited text: CSV, TSV and Orange's .tab."""
