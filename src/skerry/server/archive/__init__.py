"""Public games that are over."""
