"""The commands, one a file, each named as it is called."""
