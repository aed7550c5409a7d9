"""Few labels: what rows without one have to say, and which rows say most."""
