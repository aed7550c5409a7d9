"""The sections of the page, one a file: each turns an analysis into a `Section`."""
