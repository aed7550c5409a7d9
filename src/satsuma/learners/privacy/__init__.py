"""Privacy: models of rows that nobody is to see, and models of several places as one."""
