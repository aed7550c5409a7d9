"""Parts: where the rows of files larger than memory are, and how each part is read."""
