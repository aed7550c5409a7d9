"""One page about a table and its models, and findings about the quality of a table."""
