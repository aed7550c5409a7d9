"""One page about a table and its models, and what is doubtful in a table."""
