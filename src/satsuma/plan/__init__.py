"""Planning: what to aim for, what sets the best rows apart, and what to change."""
