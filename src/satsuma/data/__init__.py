"""Tables and where they come from."""
