"""Arrow: data frames and columnar files, in and out."""
