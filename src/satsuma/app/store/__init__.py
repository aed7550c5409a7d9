"""Store: the log of answers, durable and append-only, and the keys that its rows go by."""
