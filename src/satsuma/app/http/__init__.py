"""HTTP: what the page asks for, who may ask, and what it is shown."""
