"""What is doubtful in a table before anything is learned from it: the data quality checks."""
