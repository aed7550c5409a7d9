"""Model trees: few leaves, with a linear or a logistic model in each."""
