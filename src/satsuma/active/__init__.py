"""Few labels: active and semi-supervised learning, and when to stop labelling."""
