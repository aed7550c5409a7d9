"""Classifiers made of what columns say about the class: naive Bayes, discriminants."""
