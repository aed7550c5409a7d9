"""Types of arrays, and small pieces of arithmetic that several rooms need."""
